"""Lessons: guided questions on the merge player. A lesson is one readable file in ``data``.

Start with ``lesson.py``, which says what a file holds; docs/lessons.md shows how to write one.
"""
