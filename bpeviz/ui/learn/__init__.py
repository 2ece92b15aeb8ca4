"""The page "Learn": lessons on the player, and guessing the next merge."""
