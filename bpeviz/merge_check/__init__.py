"""Check a person's trainer: its merges against a recipe, and the mistake that explains them.

    compare_merges(merges, text, "cs336").sentence
        ->  The first 210 merges are equal. At merge 211 you merged x + y (31 times); …

    merges file -> reading -> beside the recipe's own trainer -> the first difference
                                                                       |
                          each variation of the reference trainer -> those that give all merges

- ``reading``, ``written_pairs``: merges in files;
- ``reference``: a trainer of a few lines with four hooks: cut, count, choose, merge;
- ``texts``, ``ties``, ``hooks``: what cuts a text, decides ties, counts and merges;
- ``variations``, ``cut_variations``: the table of mistakes, each with the hooks that differ;
- ``explain``: which of them give all merges;
- ``check``, ``result``: the answer, with its sentences; ``in_worker``: all of it in another process.
"""
