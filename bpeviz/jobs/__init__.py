"""Training in a worker, and its time left."""
