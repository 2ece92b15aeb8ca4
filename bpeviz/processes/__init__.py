"""Work in other processes: starting them, talking to them, sharing the cores.

- ``sharing``: how many of a kind work at once, and the low priority of what works in the background;
- ``child_process``: a Python that is started as a command, with two pipes;
- ``messages``: what goes through the pipes.
"""
