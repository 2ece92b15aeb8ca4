"""Parity: the same text trained by the real library, in a process of its own, and compared merge for merge.

    check_parity("the cat in the hat", "rustbpe", trainer.merges)
        ->  identical for all 9 merges: rustbpe 0.1.0

    recipe -> libraries -> process --JSON--> worker, which alone imports the library
                              |
              answer -> difference -> Parity

Whatever goes wrong in the other process is a Parity that says so, never an exception. Five recipes have a
library on PyPI; the others are held against a brute-force reading of the published rule in the tests.
"""

from bpeviz.parity.check import Parity, ParityCheck, check_all, check_parity
from bpeviz.parity.difference import Difference
from bpeviz.parity.libraries import LIBRARIES, Library

__all__ = ["LIBRARIES", "Difference", "Library", "Parity", "ParityCheck", "check_all", "check_parity"]
