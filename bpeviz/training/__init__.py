"""Training: the rules of each trainer, the generator of merges, forks, and the history of a corpus.

- ``recipes``: the rules in which trainers differ;
- ``settings``, ``choice``: how to train, and the merges that a person chooses or vetoes;
- ``trainer``, ``merge_step``: one merge at a time;
- ``fork``: training with such choices;
- ``result``, ``history``: the outcome, and the corpus after any number of merges;
- ``text_training``: training on a text from start to end.
"""
