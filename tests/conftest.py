"""Settings that all tests share."""

import os

from hypothesis import settings

# A slow machine is no failure, so there is no deadline. In CI the same examples run every time.
settings.register_profile("bpeviz", deadline=None, max_examples=100, derandomize="CI" in os.environ)
settings.load_profile("bpeviz")
