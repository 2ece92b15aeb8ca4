"""The page "Compare"."""
