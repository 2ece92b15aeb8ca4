"""The page "Watch"."""
