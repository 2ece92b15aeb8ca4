"""Saved sessions: the document, the file, and the store in SQLite.

- ``document``: what is saved of a session, as JSON;
- ``session_file``: a session as one file, for another machine or for later;
- ``packed_file``: files that are saved with a session, compressed;
- ``store``: all sessions of a server, in one SQLite file;
- ``open_notes``: which sessions a server was working on when it ended.
"""
