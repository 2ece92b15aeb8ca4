"""How a split pattern cuts the person's text, shown while they type it."""
