"""Errors of texts and split patterns."""

from bpeviz.base_error import BpevizError

__all__ = [
    "CorpusError",
    "FileEncodingError",
    "LoneSurrogateError",
    "SplitPatternBusyError",
    "SplitPatternError",
]


class SplitPatternError(BpevizError):
    """A split pattern that is unknown, does not compile, takes too long or does not cover the text.

    ``pattern`` is the pattern as given; ``byte_offset`` is the first byte of the text that it does not cover,
    if that is the problem.
    """

    def __init__(self, message: str, *, pattern: str, byte_offset: int | None = None) -> None:
        super().__init__(message)
        self.pattern = pattern
        self.byte_offset = byte_offset


class SplitPatternBusyError(SplitPatternError):
    """Any split pattern would fail now, because the machine is busy. It may run a moment later."""


class CorpusError(BpevizError):
    """Input that cannot be a corpus, such as a count that is not a positive whole number."""


class FileEncodingError(CorpusError):
    """A file that is not UTF-8: ``path`` and the ``byte_offset`` of its first invalid byte."""

    def __init__(self, path: str, byte_offset: int) -> None:
        super().__init__(
            f"{path} is not UTF-8: the byte at offset {byte_offset:,} cannot be decoded. "
            "Convert the file to UTF-8, or choose to replace invalid bytes."
        )
        self.path = path
        self.byte_offset = byte_offset


class LoneSurrogateError(CorpusError):
    """A string with half of a UTF-16 pair, which has no UTF-8 form; ``position`` counts characters."""

    def __init__(self, position: int, code_point: int) -> None:
        super().__init__(
            f"Character {position:,} is U+{code_point:04X}, half of a surrogate pair, which UTF-8 "
            "cannot hold. Remove it, or decode the text again from its source."
        )
        self.position = position
        self.code_point = code_point
