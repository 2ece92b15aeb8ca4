"""Training in another process: its messages, its progress, and how long it will take."""
