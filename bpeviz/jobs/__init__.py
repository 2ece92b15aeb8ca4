"""Training in another process: messages, progress and time left."""
