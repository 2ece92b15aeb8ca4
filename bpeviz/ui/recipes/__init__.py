"""The page "Recipes"."""
