"""The comparer: one text as two tokenizers cut it, at any number of merges of each."""
