"""Measurements, run by hand: ``python -m benchmarks.training`` and ``python -m benchmarks.interactive``."""
