"""A field for a person's own text."""
