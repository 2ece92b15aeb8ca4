"""The page "Watch merges"."""
