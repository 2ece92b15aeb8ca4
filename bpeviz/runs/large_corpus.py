"""Large corpora: training counts all of it, and the page shows a part."""

from dataclasses import dataclass, field
from itertools import accumulate, takewhile
from threading import Lock
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from bpeviz.corpus.corpus import Corpus
from bpeviz.corpus.corpus_files import CorpusFile, CorpusFiles, Place
from bpeviz.errors import CorpusError, SplitPatternError
from bpeviz.limits import limits
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.training.result import TrainingResult
from bpeviz.training.settings import TrainingSettings

__all__ = [
    "FILES_MISSING",
    "LargeCorpus",
    "ShownPart",
    "ShownText",
    "check_files",
    "distinct_pre_tokens",
    "pre_token_indices",
    "remember_result",
    "remembered_counts",
    "remembered_result",
    "shown_text",
]

#: Why another part can't be shown, or the text can't be counted.
FILES_MISSING = "The files of this corpus aren't here. Start the app with them: bpeviz app FILE …"


@dataclass(frozen=True, eq=False)
class LargeCorpus:
    """A corpus of which the page shows a part. Texts are parts of one corpus if they refer to one object.

    ``files`` are None if only the counts are here; ``files_digest`` is theirs even then. ``owner`` deletes
    uploaded files when nothing refers to it any more.
    """

    name: str
    byte_total: int
    files: CorpusFiles | None = None
    files_digest: str = ""
    owner: object = field(default=None, repr=False)

    @classmethod
    def of(cls, files: CorpusFiles, owner: object = None) -> "LargeCorpus":
        """Return the corpus of these files."""
        return cls(files.name, files.byte_total, files, files.digest, owner)


@dataclass(frozen=True)
class ShownPart:
    """Which part of a corpus a text is: ``byte_total`` bytes from ``place`` on, in the file ``file_name``.

    Without a place there is no text, only counts: what is shown are distinct pre-tokens, first seen first.
    """

    whole: LargeCorpus
    place: Place | None = None
    file_name: str = ""
    byte_total: int = 0


@dataclass(frozen=True)
class ShownText:
    """A text to show: which ``part`` it is, and its ``pre_tokens`` in order, as indices in ``counted``."""

    part: ShownPart
    text: str
    pre_tokens: npt.NDArray[np.int64]
    counted: Corpus


#: The results on large corpora that some session of this process uses, by their counts and settings.
_known: WeakValueDictionary[tuple[str, SplitPattern, TrainingSettings], TrainingResult]
_known = WeakValueDictionary()
_known_lock = Lock()


def remember_result(result: TrainingResult, settings: TrainingSettings) -> None:
    """Remember the result of a training, so that a session that is opened again need not train as well."""
    with _known_lock:
        _known[result.corpus.packed.digest, result.split, settings] = result


def remembered_result(counted: Corpus, settings: TrainingSettings) -> TrainingResult | None:
    """Return the result of the same training, if some session uses it."""
    return _known.get((counted.packed.digest, counted.split, settings))


def remembered_counts(digest: str, split: SplitPattern) -> Corpus | None:
    """Return the counts whose packed bytes have this digest, if some session uses them."""
    with _known_lock:
        results = [each for (packed, cut, _), each in _known.items() if (packed, cut) == (digest, split)]
    return results[0].corpus if results else None


def check_files(files: CorpusFiles, split: SplitPattern, most_bytes: int) -> None:
    """Raise CorpusError if the files are empty, or if the pattern can't cut files of more than ``most_bytes``
    into parts."""
    if not files.byte_total:
        raise CorpusError("The files are empty. Choose files with text.")
    longest = max(files.files, key=lambda file: file.byte_total)
    if split.stretch is None and longest.byte_total > most_bytes:
        raise CorpusError(_too_long(split, longest, most_bytes))


def shown_text(
    result: TrainingResult, whole: LargeCorpus, place: Place, most_bytes: int, *, around: bool = False
) -> ShownText:
    """Return the part of the corpus that begins at ``place``, or with ``around`` shortly before it.

    Raises CorpusError if the files aren't here or changed, or if the text can't be cut there.
    """
    if whole.files is None:
        raise CorpusError(FILES_MISSING)
    file = whole.files.files[place.file]
    if result.split.stretch is None:  # it may cut nowhere but between files
        place, around, most_bytes = Place(place.file, 0), False, limits().max_text_bytes
        if file.byte_total > most_bytes:
            raise CorpusError(_too_long(result.split, file, most_bytes))
    part = (whole.files.part_with if around else whole.files.part)(place, most_bytes)
    shown = ShownPart(whole, part.place, file.name, part.byte_total)
    return ShownText(shown, part.text, pre_token_indices(result, part.text), result.corpus)


def pre_token_indices(result: TrainingResult, text: str) -> npt.NDArray[np.int64]:
    """Return the pre-tokens of a part of the corpus, as indices in the corpus.

    Raises CorpusError if the split pattern doesn't cut the part as it cut the whole.
    """
    try:
        return result.history.pre_token_indices(text)
    except SplitPatternError as error:
        raise CorpusError(f"This part can't be split alone. {error}") from None


def _too_long(split: SplitPattern, file: CorpusFile, most_bytes: int) -> str:
    return (
        f"The split pattern ({split.name}) needs each file in one piece, so a file may have "
        f"{most_bytes / 1e6:g} MB; {file.name} has {file.byte_total / 1e6:,.4g} MB. Choose another "
        "split pattern, such as gpt2, or break the file into several."
    )


def distinct_pre_tokens(corpus: Corpus, whole: LargeCorpus, most_bytes: int) -> ShownText:
    """Return what to show if there is no text: the distinct pre-tokens, first seen first."""
    sizes = accumulate(len(pre_token.encode("utf-8")) for pre_token in corpus.pre_tokens)
    shown = sum(1 for _ in takewhile(lambda size: size <= most_bytes, sizes))
    text = "".join(corpus.pre_tokens[:shown])
    return ShownText(ShownPart(whole), text, np.arange(shown, dtype=np.int64), corpus)
