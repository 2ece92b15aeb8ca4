"""Training results on named texts, at any step; forks and recipes compared.

- ``run``: a run, and how it or a fork of it is trained;
- ``run_at_step``: a run after some of its merges;
- ``fork_comparison``, ``recipe_comparison``: two runs compared, and several recipes on one text;
- ``samples``: the texts that come with the app;
- ``training_words``: the words of the progress bar.
"""
