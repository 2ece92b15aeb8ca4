"""The page "Encode"."""
