"""Check a person's trainer: its merges against a recipe, and the mistake that explains them.

    compare_merges(merges, text, "cs336").sentence
        ->  Equal to cs336 up to merge 211. There you merged x + y (31 times); …

    merges -> walk beside the rule -> the first difference
                    |
    the rule with a mistake -> walk again -> the causes that explain all their merges

- ``tally``, ``ties``: pair counts as a trainer believes them, and who wins among equal counts;
- ``rules``: a trainer as a value, and how far its merges are theirs;
- ``changes``: a mistake, as a change of the rule; ``mistakes``, ``count_mistakes``, ``wall_mistakes``: those
  that people make; ``spellings``, ``orders``, ``stale``: those that their merges show;
- ``search``, ``causes``: trains again with each mistake, and keeps the simplest that explain all;
- ``check``, ``result``: the answer, with its sentences;
- ``reading``: merges in files; ``in_worker``: all of it in another process.
"""
