"""Comparing: tokenizers, recipes, vocabularies, and what a text costs.

- ``compare``: two tokenizers on one text;
- ``divergence``: the first merge in which two recipes differ, and why;
- ``vocabulary``, ``vocabulary_overlap``: the tokens of one tokenizer, and of two;
- ``text_statistics``: tokens per word, script and line.
"""
