"""Audit a vocabulary: what is in it that a text never needs, and what another one has instead."""
