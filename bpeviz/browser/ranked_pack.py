"""Pack the merges of a finished tokenizer by rank, from which a browser encodes any text.

    gpt2      lefts 220 72 …   rights 83 68 …      merge 0 joins the tokens 220 and 83 to token 256

``gapsByRank`` in trainer/ranked_merges.js makes them on a text, one after the other.
"""

import numpy as np

from bpeviz.browser.pack import pack
from bpeviz.formats.pretrained import load_pretrained, pretrained_name

__all__ = ["pack_ranked"]

#: The ids of bytes come first, then each merge makes the next one.
FIRST_MADE = 256
#: Ids of two bytes, below the values that gap ranks use for something else.
_SHORT = 0xFFFC


def pack_ranked(name: str) -> bytes:
    """Pack a built-in tokenizer: the two ids that each merge joins, and what the page says of it.

    Raises TokenizerFileError if its file is not on this machine.
    """
    tokenizer = load_pretrained(name)
    merges = np.array([pair for pair, _ in tokenizer.paired], np.int32)
    short = merges.astype(np.uint16) if len(merges) < _SHORT - FIRST_MADE else merges
    header = {
        "name": pretrained_name(name),
        "split": tokenizer.split.name,
        "base_size": int(tokenizer.vocab_sizes[0]),
    }
    return pack(header, lefts=short[:, 0], rights=short[:, 1])
