"""Measurements that you run yourself, such as ``python -m benchmarks.training``."""
