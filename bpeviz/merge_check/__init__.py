"""Check somebody's trainer: their merges against a recipe, and the mistake that explains them.

    compare_merges(merges, text, "cs336").sentence
        ->  Equal to cs336 up to merge 211. There you merged x + y (31 times); …

    merges -> walk beside the rule -> the first difference
                    |
    changes of the rule -> walk again -> the causes that explain all their merges

- ``tally``, ``ties``: pair counts as a trainer believes them, and who wins among equal counts;
- ``rules``, ``changes``: a trainer as a value, and the mistakes that people make, each a change of one;
- ``causes``: trains again with each mistake; ``check``, ``result``: the answer, with its sentences;
- ``reading``: merges in files; ``in_worker``: all of it in another process.
"""
