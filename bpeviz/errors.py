"""Every error that bpeviz raises on purpose; BpevizError is the base of them all.

``str(error)`` names the fault and the remedy, so that the page and the command line can print it::

    try:
        corpus = Corpus.from_files(["text.txt"])
    except BpevizError as error:
        print(error)  # text.txt is not UTF-8: the byte at offset 12 cannot be decoded. Convert the file …
"""

import warnings
from typing import Literal

__all__ = [
    "BpevizError",
    "CorpusError",
    "CorpusWarning",
    "LessonError",
    "PipelineError",
    "PlayerError",
    "SavedSessionError",
    "ServerSettingError",
    "SessionChangedError",
    "SessionTooLargeError",
    "SplitPatternBusyError",
    "SplitPatternError",
    "StorageError",
    "TokenizerError",
    "TokenizerFileError",
    "TokenizerFileWarning",
    "TrainingProcessError",
    "TrainingSettingsError",
    "warn",
]


class BpevizError(Exception):
    """Base of every error that bpeviz raises on purpose.

    It can be pickled, so a child process can raise it in its parent.
    """

    def __reduce__(self) -> tuple[object, ...]:
        # As plain objects do it: exceptions call their __init__ again, with the message for all arguments.
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[BpevizError], args: tuple[object, ...]) -> BpevizError:
    return kind.__new__(kind, *args)


class CorpusError(BpevizError):
    """A text, or counts of pre-tokens, that can't be read, counted or written."""


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


class TrainingSettingsError(BpevizError):
    """Settings, or a person's own merges and vetoes, that contradict each other or the corpus."""


class TrainingProcessError(BpevizError):
    """A training in another process ended early."""


class TokenizerError(BpevizError):
    """A tokenizer can't do what it was asked for: it lacks a token, or a symbol for a character."""


class TokenizerFileError(BpevizError):
    """A tokenizer's file can't be read or written, or is not on this machine. ``why`` is a sentence with the
    remedy."""

    def __init__(self, file_name: str, why: str) -> None:
        super().__init__(f"{file_name}: {why}")
        self.file_name = file_name
        self.why = why


class CorpusWarning(UserWarning):
    """Something in a file of text is left out, because it is not text."""


class TokenizerFileWarning(UserWarning):
    """A tokenizer file does not describe all of its tokenizer, so a reader may get a different one."""


def warn(message: str) -> None:
    """Emit a TokenizerFileWarning."""
    warnings.warn(message, TokenizerFileWarning, stacklevel=2)


class PipelineError(BpevizError):
    """A text on which the normalizer or pre-tokenizer of a tokenizer file takes too long, needs too much
    memory or fails. ``why`` says what happened; the message adds the remedy. ``said`` is what the
    library said, in one line, if anything."""

    def __init__(self, why: str, remedy: str = "Try another text.", said: str = "") -> None:
        super().__init__(f"{why}. {remedy}")
        self.why = why
        self.remedy = remedy
        self.said = said


class PlayerError(BpevizError):
    """A player that can't be made or written. If an ``option`` is wrong, ``remedy`` says what it takes."""

    def __init__(self, message: str, *, option: str = "", remedy: str = "") -> None:
        super().__init__(message)
        self.option = option
        self.remedy = remedy


class StorageError(BpevizError):
    """The file of saved sessions can't be used, for a ``reason``.

    The reasons: it can't be read or written (unavailable), the disk is full, another process keeps it
    locked, a newer or an older bpeviz made it, another application did (foreign), or it was damaged.
    ``detail`` is the system's message, or where the damaged file is now. Without a ``path`` the message is
    for a visitor, who may not know the server's files.
    """

    Reason = Literal["unavailable", "full", "locked", "newer", "older", "foreign", "damaged"]

    def __init__(self, path: str | None, reason: Reason, detail: str = "") -> None:
        elsewhere = "set BPEVIZ_DATA to another directory"
        to_visitors = {
            "locked": "The server is busy saving other sessions. Try again in a moment.",
            "damaged": "The server's file of saved sessions was damaged. A new one is in use.",
        }
        messages = {
            "unavailable": f"Sessions can't be saved in {path} ({detail}). Make that file readable and "
            f"writable, or {elsewhere}.",
            "full": f"Nothing can be saved in {path}: the disk is full. Earlier saves are still there. "
            f"Free some space, or {elsewhere}.",
            "locked": f"Another process has locked {path}. Try again in a moment, or stop that process.",
            "newer": f"A newer bpeviz made {path}. It was not changed. Update bpeviz, or {elsewhere}.",
            "older": f"A bpeviz before 0.1.0 made {path}. It was not changed. Move it, or {elsewhere}.",
            "foreign": f"Another application made {path}. It was not changed. Move it, or {elsewhere}.",
            "damaged": f"The file {path} was damaged. It is now {detail}, and a new one is in use.",
        }
        usual = "This server can't save sessions. Download yours, and tell the person who runs the server."
        super().__init__(messages[reason] if path is not None else to_visitors.get(reason, usual))
        self.reason = reason


class SavedSessionError(BpevizError):
    """Data that should be a saved session is none, or can't be used; ``reason`` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"This session can't be opened: {reason}.")
        self.reason = reason


class SessionTooLargeError(BpevizError):
    """A session of ``byte_total`` bytes is over the ``limit``."""

    def __init__(self, byte_total: int, limit: int) -> None:
        super().__init__(
            f"This session needs {byte_total:,} bytes; the limit is {limit:,}. The last saved version stays. "
            "Delete runs on other texts, or use a shorter text."
        )


class SessionChangedError(BpevizError):
    """Somebody else saved the session in the meantime."""

    def __init__(self) -> None:
        super().__init__("This session was changed in another tab. Save it as a new session.")


class LessonError(BpevizError):
    """A lesson ``file`` with a mistake in ``field``; ``why`` is a sentence with the remedy."""

    def __init__(self, file: str, field: str, why: str) -> None:
        super().__init__(f"Lesson {file}, {field}: {why}")


class ServerSettingError(BpevizError):
    """A setting of the server, such as a port or an environment variable, that can't be used."""
