"""A link with a button that copies it."""
