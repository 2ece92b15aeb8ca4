"""Saved sessions in SQLite.

- ``database_file``: the file, its faults and its repair;
- ``work_store``: sessions and their texts;
- ``packed_file``: files that are saved beside the texts;
- ``work_room``: how much may be saved, and what is deleted first.
"""
