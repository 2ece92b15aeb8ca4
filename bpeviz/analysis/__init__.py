"""Comparing: tokenizers, recipes, vocabularies, and what a text costs.

- ``compare``: two tokenizers on one text;
- ``recipe_trainings``, ``divergence``: several recipes on one text, and the first merge they differ in;
- ``vocabulary``, ``vocabulary_overlap``: the tokens of one tokenizer, and of two;
- ``text_statistics``: tokens per word, script and line.
"""
