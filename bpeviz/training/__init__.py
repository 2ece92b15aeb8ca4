"""Training: the rules of each trainer, the generator of merges, forks, and the history they leave.

- ``recipes``: the rules in which trainers differ;
- ``settings``, ``choice``: what to train, and what a person decides otherwise than the recipe;
- ``trainer``, ``merge_step``: one merge at a time;
- ``fork``: another pair merged, or one never merged;
- ``result``, ``history``: what training leaves, and the corpus after any number of merges;
- ``text_training``: a text trained from beginning to end.
"""
