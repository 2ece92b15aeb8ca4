"""The exceptions of bpeviz: one base class, subclasses that carry the data of what went wrong.

Every message names the fault and the remedy in one or two plain sentences, so that a user interface or a
command line can print it as it is. Nothing here prints or logs.
"""

import signal
from collections.abc import Sequence
from typing import Literal

__all__ = [
    "BareSpecialTokenError",
    "BatchError",
    "BpevizError",
    "ChoiceError",
    "ClusterError",
    "CorpusError",
    "CorpusTooLargeError",
    "CountingError",
    "CountsFileError",
    "DamagedWorkError",
    "DaskUnavailableError",
    "FileEncodingError",
    "LoneSurrogateError",
    "NoRoomError",
    "NoTokenizerError",
    "PairNotFoundError",
    "PretrainedUnavailableError",
    "ServerSettingError",
    "SplitPatternError",
    "StorageError",
    "TextDigestError",
    "TokenizerFileError",
    "TrainingProcessError",
    "TrainingSettingsError",
    "UnknownEncodingOrderError",
    "UnknownFileFormatError",
    "UnknownRecipeError",
    "UnknownSpecialTokenError",
    "UnknownTokenError",
    "UnspellableTextError",
    "UnwritableTokenizerError",
    "WorkChangedError",
    "WorkDocumentError",
    "WorkIdError",
    "WorkTooLargeError",
]


class BpevizError(Exception):
    """Base of every error that bpeviz raises on purpose; ``str(error)`` is fit to show to a person.

    It comes out of another process as it was raised there.
    """

    def __reduce__(self) -> tuple[object, ...]:
        # As plain objects do it: exceptions call their __init__ again, with the message for all arguments.
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[BpevizError], args: tuple[object, ...]) -> BpevizError:
    return kind.__new__(kind, *args)


def in_short(value: object, limit: int = 60) -> str:
    """``value`` in at most ``limit`` characters."""
    try:
        shown = " ".join(str(value).split())
    except ValueError:  # Python writes no number of more than some thousand digits
        return "…"
    return shown if len(shown) <= limit else f"{shown[:limit]}…"


class SplitPatternError(BpevizError):
    """A split pattern that is unknown, does not compile, takes too long or does not cover the text.

    ``pattern`` is the pattern as given; ``byte_offset`` the first uncovered byte of the text, where that is
    the fault.
    """

    def __init__(self, message: str, *, pattern: str, byte_offset: int | None = None) -> None:
        super().__init__(message)
        self.pattern = pattern
        self.byte_offset = byte_offset


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
    """A string with half of a UTF-16 pair, which has no UTF-8 form: its ``position`` in characters."""

    def __init__(self, position: int, code_point: int) -> None:
        super().__init__(
            f"Character {position:,} is U+{code_point:04X}, half of a surrogate pair, which UTF-8 "
            "cannot hold. Remove it, or decode the text again from its source."
        )
        self.position = position
        self.code_point = code_point


class CorpusTooLargeError(CorpusError):
    """Counts that stand for too much text: its ``byte_total``, and the ``limit``."""

    def __init__(self, byte_total: int, limit: int) -> None:
        super().__init__(
            f"The counts stand for more than {limit:,} bytes of text, which is too many to add up. "
            "Look for a count that is too large."
        )
        self.byte_total = byte_total
        self.limit = limit


class CountingError(CorpusError):
    """One of several ``processes`` that counted pre-tokens ended before its work."""

    def __init__(self, processes: int) -> None:
        super().__init__(
            f"One of {processes} processes that counted pre-tokens was ended from outside, perhaps because "
            "memory ran out. Count with processes=1, or fewer than before."
        )
        self.processes = processes


class DaskUnavailableError(CorpusError):
    """Dask or a ``package`` that it needs is not installed, which only counting on a cluster asks for."""

    def __init__(self, package: str) -> None:
        super().__init__(
            f"Counting on Dask needs the package {package}, which is not installed. "
            'Install it with pip install "bpeviz[dask]", or in a checkout with '
            "pip install -r requirements-dask.txt."
        )
        self.package = package


class ClusterError(CorpusError):
    """Dask could not count: the ``scheduler`` it was asked for, None for its own, and ``why`` in a sentence
    with the remedy."""

    def __init__(self, scheduler: str | None, why: str) -> None:
        super().__init__(f"Dask could not count on {scheduler or 'this machine'}: {why}")
        self.scheduler = scheduler
        self.why = why


class CountsFileError(CorpusError):
    """A file of pre-token counts that cannot be read or written: ``file_name``, and ``why`` in a sentence
    with the remedy."""

    def __init__(self, file_name: str, why: str) -> None:
        super().__init__(f"{file_name}: {why}")
        self.file_name = file_name
        self.why = why


class UnknownRecipeError(BpevizError):
    """A recipe name that does not exist: ``name``, and the ``known`` ones."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"There is no recipe named {name!r}. Choose one of: {', '.join(known)}.")
        self.name = name
        self.known = tuple(known)


class TrainingSettingsError(BpevizError):
    """Settings of a trainer that contradict each other or the corpus: ``setting`` names the culprit."""

    def __init__(self, message: str, *, setting: str) -> None:
        super().__init__(message)
        self.setting = setting


class ChoiceError(TrainingSettingsError):
    """A choice of a fork that training cannot follow: its ``rank``, ``pair`` and ``action``, and ``why``."""

    def __init__(self, rank: object, pair: object, action: object, why: str, remedy: str) -> None:
        super().__init__(
            f"The choice at rank {in_short(rank)} ({in_short(action)} {in_short(pair)}) cannot be "
            f"followed: {why}. {remedy}.",
            setting="choices",
        )
        self.rank = rank
        self.pair = pair
        self.action = action
        self.why = why


class TrainingProcessError(BpevizError):
    """A training whose process ended before it was done: the ``exit_code``, which is the number of the signal
    made negative where one ended it, and None where the process could not be started."""

    def __init__(self, exit_code: int | None) -> None:
        super().__init__(
            f"{_how_it_ended(exit_code)} Train again, or take a smaller text; everything else is as it was."
        )
        self.exit_code = exit_code


def _how_it_ended(exit_code: int | None) -> str:
    if exit_code is None:
        return "The process that was to train could not be started, mostly for want of memory."
    if exit_code >= 0:
        return f"The process that trained ended with code {exit_code} before it was done."
    names = {s.value: s.name for s in signal.Signals}
    name = names.get(-exit_code, f"signal {-exit_code}")
    why = ", as happens when memory runs out" if name == "SIGKILL" else ""
    return f"The process that trained was ended by {name}{why}."


class PairNotFoundError(BpevizError):
    """A pair was to be merged that does not occur in the corpus as it is tokenized now."""

    def __init__(self, pair: tuple[int, int]) -> None:
        super().__init__(
            f"The pair {in_short(pair)} does not occur in the corpus at this step, so it cannot be merged. "
            "Choose one of top_pairs()."
        )
        self.pair = pair


class UnspellableTextError(BpevizError):
    """A text with ``characters`` that the base vocabulary of a tokenizer does not hold; those of
    them that are ``at_word_end`` it holds, but not as the last of a word."""

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


class NoTokenizerError(BpevizError):
    """Something else than a Tokenizer, of the type ``given``, for a ``function`` that compares two."""

    def __init__(self, function: str, given: str) -> None:
        super().__init__(
            f"{function} takes two Tokenizers, not {given}. Load one with load_pretrained or Tokenizer.load, "
            "or train one with train_tokenizer."
        )
        self.function = function
        self.given = given


class UnknownTokenError(BpevizError):
    """A token id that a tokenizer does not have."""

    def __init__(self, token_id: int, n_vocab: int) -> None:
        super().__init__(
            f"There is no token with id {in_short(token_id)}; ids of this tokenizer are below {n_vocab:,}."
        )
        self.token_id = token_id


class UnknownSpecialTokenError(BpevizError):
    """A special token that a tokenizer does not have: ``token``, and the ``known`` ones."""

    def __init__(self, token: str, known: Sequence[str]) -> None:
        more = f" and {len(known) - 20:,} more" if len(known) > 20 else ""
        have = (
            f"It has: {', '.join(in_short(each) for each in known[:20])}{more}." if known else "It has none."
        )
        super().__init__(f"This tokenizer has no special token {in_short(repr(token))}. {have}")
        self.token = token
        self.known = tuple(known)


class BareSpecialTokenError(BpevizError):
    """Something else than a list of special tokens, such as one token: what was ``given``."""

    def __init__(self, given: object) -> None:
        shown = f"the text {in_short(repr(given), 44)}" if isinstance(given, str) else type(given).__name__
        listed = in_short(repr(given), 44) if isinstance(given, str) else "'<s>'"
        super().__init__(
            f"allowed_special is {shown}, and must be a list of special tokens or the word 'all'. "
            f"Put the token in a list: [{listed}]."
        )
        self.given = given


class BatchError(BpevizError):
    """One thing in place of a list of them: the ``method`` that was called, and the ``other`` for one."""

    def __init__(self, method: str, wanted: str, other: str) -> None:
        super().__init__(f"{method} takes {wanted}, and got a single one. Put it in a list, or use {other}.")
        self.method = method
        self.other = other


class UnknownEncodingOrderError(BpevizError):
    """An order of encoding that does not exist."""

    def __init__(self, order: str) -> None:
        super().__init__(f"There is no encoding order {order!r}. Choose merge-rank or left-to-right.")
        self.order = order


class PretrainedUnavailableError(BpevizError):
    """A pretrained tokenizer whose files are not on this machine, or are not the ones expected."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"The tokenizer {name!r} is not available: {why}")
        self.name = name


class TokenizerFileError(BpevizError):
    """A tokenizer file that cannot be read or written: ``file_name``, and ``why`` in a sentence with the
    remedy."""

    def __init__(self, file_name: str, why: str) -> None:
        super().__init__(f"{file_name}: {why}")
        self.file_name = file_name
        self.why = why


class UnwritableTokenizerError(BpevizError):
    """A tokenizer that a file format cannot hold: the ``format``, ``why`` in a sentence, and the ``others``
    that can hold it."""

    def __init__(self, format: str, why: str, others: Sequence[str]) -> None:
        remedy = f"Save it as: {', '.join(others)}." if others else "Train with another recipe to save one."
        super().__init__(f"The format {format} cannot hold this tokenizer: {why} {remedy}")
        self.format = format
        self.why = why
        self.others = tuple(others)


class UnknownFileFormatError(BpevizError):
    """A format of tokenizer files that does not exist: ``format``, and the ``known`` ones."""

    def __init__(self, format: str, known: Sequence[str]) -> None:
        super().__init__(
            f"There is no format of tokenizer files named {format!r}. Choose one of: {', '.join(known)}."
        )
        self.format = format
        self.known = tuple(known)


class StorageError(BpevizError):
    """The file that holds people's work cannot be used: its ``path``, the ``reason``, and as ``detail`` what
    the system said.

    The reasons: it cannot be read or written (unavailable), the disk is full, another process keeps it
    locked, a newer bpeviz made it, or another application did (foreign).
    """

    Reason = Literal["unavailable", "full", "locked", "newer", "foreign"]

    def __init__(self, path: str, reason: Reason, detail: str = "") -> None:
        elsewhere = "set BPEVIZ_DATA to another directory"
        messages = {
            "unavailable": f"Work cannot be saved in {path} ({detail}). Make it a file that can be read and "
            f"written, or {elsewhere}.",
            "full": f"Work cannot be saved in {path}, as the disk is full; what was saved before is still "
            f"there. Make room, or {elsewhere}.",
            "locked": f"Another process keeps {path} locked. Try again in a moment, or end that process.",
            "newer": f"A newer bpeviz made {path}, which is left as it is. Update bpeviz, or {elsewhere}.",
            "foreign": f"Another application made {path}, which is left as it is. Move it, or {elsewhere}.",
        }
        super().__init__(messages[reason])
        self.path = path
        self.reason = reason
        self.detail = detail


class WorkTooLargeError(BpevizError):
    """A work above the size that is kept: its ``byte_total`` and the ``limit``."""

    def __init__(self, byte_total: int, limit: int) -> None:
        super().__init__(
            f"This work has {byte_total:,} bytes and at most {limit:,} are saved, so it stays as it was "
            "saved before. Drop runs on other texts, or take a shorter text."
        )
        self.byte_total = byte_total
        self.limit = limit


class NoRoomError(BpevizError):
    """A work that was not saved because others would have to go for it: the ``reason``, and the ``limit``.

    The reasons: all that is saved takes ``limit`` bytes (full), all that one person saved does (share), or
    one person began that many works within an hour (often).
    """

    Reason = Literal["full", "share", "often"]

    def __init__(self, reason: Reason, limit: int) -> None:
        size = f"{limit / 1_000_000:,.0f} MB"
        remedy = "It stays on this page: download it as a file, or delete saved work that you no longer need."
        messages = {
            "full": f"All saved work together may take {size}, and there is no room for this. {remedy}",
            "share": f"Saved work from your address may take {size}, and there is no room for this. {remedy}",
            "often": f"From your address {limit:,} new works were saved within an hour, and no more are "
            "taken. It stays on this page: download it as a file, or wait for an hour.",
        }
        super().__init__(messages[reason])
        self.reason = reason
        self.limit = limit


class WorkChangedError(BpevizError):
    """A work that was saved by somebody else in the meantime: ``work_id``."""

    def __init__(self, work_id: str) -> None:
        super().__init__("This work was changed elsewhere, as in another tab. Save it as another work.")
        self.work_id = work_id


class WorkDocumentError(BpevizError):
    """Something that should be a person's saved work and cannot be taken: the ``reason``."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"This is no work that can be opened here: {reason}.")
        self.reason = reason


class WorkIdError(BpevizError):
    """A text that is not the id of any work: ``work_id``, as given."""

    def __init__(self, work_id: str) -> None:
        shown = work_id if len(work_id) <= 40 else work_id[:40] + "…"
        super().__init__(
            f"There is no work with the id {shown!r}. Copy the whole address again, or begin anew."
        )
        self.work_id = work_id


class TextDigestError(BpevizError):
    """A text that is not the one its ``digest`` says, or a digest that is not a SHA-256 in hexadecimal."""

    def __init__(self, digest: str) -> None:
        shown = digest if len(digest) <= 64 else digest[:64] + "…"
        super().__init__(
            f"The text is not the one with the SHA-256 {shown!r}, so nothing was saved. "
            "Give text_digest() of it."
        )
        self.digest = digest


class DamagedWorkError(BpevizError):
    """A saved work that is not what was saved, as happens when a disk fails: ``work_id``, and the ``digests``
    of the texts that are damaged, none where it is the state."""

    def __init__(self, work_id: str, digests: Sequence[str]) -> None:
        super().__init__(
            "This work was damaged on the disk and cannot be shown as it was. Begin a new one, and have the "
            "disk checked."
        )
        self.work_id = work_id
        self.digests = tuple(digests)


class ServerSettingError(BpevizError):
    """An environment variable of the server that says nothing it understands: ``variable``, ``value``."""

    def __init__(self, variable: str, value: str, remedy: str) -> None:
        shown = value if len(value) <= 40 else f"{value[:40]}…"
        super().__init__(f"The environment variable {variable} is {shown!r}. {remedy}")
        self.variable = variable
        self.value = value
