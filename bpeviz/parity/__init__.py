"""Checks against the real libraries: each trains on the same text in another process.

    check_parity("the cat in the hat", "rustbpe", trainer.merges)
        ->  identical for all 9 merges: rustbpe 0.1.0

    recipe -> libraries -> check -> library_training, in a worker, the only one that imports the library
                             |
            merges -> difference -> Parity

If something goes wrong in the worker, the result is a Parity that says so, not an exception. Five
recipes have a library on PyPI; the tests compare the others with a brute-force version of the published rule.
"""

from bpeviz.parity.check import Parity, ParityCheck, check_all, check_parity
from bpeviz.parity.difference import Difference
from bpeviz.parity.libraries import LIBRARIES, Library

__all__ = ["LIBRARIES", "Difference", "Library", "Parity", "ParityCheck", "check_all", "check_parity"]
