"""What a person runs to look at the page as a whole, such as ``python -m tools.pictures``."""
