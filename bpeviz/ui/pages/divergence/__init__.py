"""The page "Why they disagree"."""
