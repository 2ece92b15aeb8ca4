"""Recipes, the generator of merges, forks, history; training in a worker.

- ``recipes``: the rules in which trainers differ;
- ``settings``, ``choice``: how to train, and the merges that a person chooses or vetoes;
- ``trainer``: one merge at a time; ``in_one_call``: all of them;
- ``start``: a finished tokenizer that a training begins with;
- ``fork``: training with such choices;
- ``result``, ``history``: a merge and the outcome, and the corpus after any number of merges;
- ``text_training``: training on a text from start to end.
"""
