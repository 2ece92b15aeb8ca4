"""Guided questions on the player, each a readable file in ``data``, and their figures.

Start with ``lesson.py``, which says what a file holds; docs/lessons.md shows how to write one.
"""
