"""Saving a session and opening it again."""
