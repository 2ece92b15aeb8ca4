"""The page "Vocabulary"."""
