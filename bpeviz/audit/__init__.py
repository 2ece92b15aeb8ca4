"""Auditing: which tokens of a vocabulary a text never needs, and what an earlier one had instead."""
