"""Errors in the settings and symbols that training and encoding share."""

from collections.abc import Sequence

from bpeviz.base_error import BpevizError

__all__ = ["TrainingSettingsError", "UnspellableTextError"]


class TrainingSettingsError(BpevizError):
    """Settings of a trainer that contradict each other or the corpus; ``setting`` names the wrong one."""

    def __init__(self, message: str, *, setting: str) -> None:
        super().__init__(message)
        self.setting = setting


class UnspellableTextError(BpevizError):
    """A text with ``characters`` that the base vocabulary of a tokenizer lacks. Those ``at_word_end`` it has,
    but not as the last character of a word."""

    def __init__(self, characters: Sequence[str], at_word_end: Sequence[str] = ()) -> None:
        elsewhere = [c for c in characters if c not in at_word_end]
        missing = [_listed(elsewhere)] if elsewhere else []
        if at_word_end:
            missing.append(f"{_listed(at_word_end)} at the end of a word")
        super().__init__(
            f"The base vocabulary has no symbol for {', nor for '.join(missing)}. Train on a corpus that "
            "holds them, or use a recipe whose base vocabulary is all 256 bytes."
        )
        self.characters = tuple(characters)
        self.at_word_end = tuple(at_word_end)


def _listed(characters: Sequence[str], limit: int = 10) -> str:
    shown = ", ".join(f"{c!r} (U+{ord(c):04X})" for c in characters[:limit])
    return shown + (f" and {len(characters) - limit:,} more" if len(characters) > limit else "")
