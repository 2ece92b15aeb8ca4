"""The characters of a text as an array, and where they begin in UTF-8."""

import numpy as np
import numpy.typing as npt

__all__ = ["byte_offsets", "characters"]


def characters(text: str) -> npt.NDArray[np.uint32]:
    """The code point of each character."""
    return np.frombuffer(text.encode("utf-32-le"), "<u4")


def byte_offsets(text: str) -> npt.NDArray[np.int64]:
    """How many bytes lie before each character, and before the end."""
    data = np.frombuffer(text.encode("utf-8"), np.uint8)
    return np.append(np.flatnonzero((data & 0xC0) != 0x80), len(data))
