"""A tokenizer of bpeviz beside that of the real library: ids, decoding and token boundaries of many texts.

``compare_file`` reports how many texts differ and the smallest example, shrunk.
"""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from typing import Literal

from bpeviz import Tokenizer
from bpeviz.core.gap_ranks import token_ends
from bpeviz.errors import BpevizError, PipelineError
from tests.support.hard_texts import hard_texts
from tests.support.paths import ROOT
from tests.support.real_libraries import Library, character_ends
from tests.support.real_tokenizers import RealTokenizer

__all__ = ["Comparison", "Difference", "compare_file", "differences", "in_table"]

#: The ids that ``encode`` gives are compared in one text of so many; all texts have those of the other way.
ENCODED_TWICE = 8
#: How often shrinking may try a smaller text.
MOST_TRIES = 600


@dataclass(frozen=True)
class Difference:
    """``kind``: "ids", "plain ids" (special tokens as text), "decoding" or "boundaries"."""

    kind: str
    text: str
    ours: object
    theirs: object

    def __str__(self) -> str:
        return f"{self.kind} of {self.text!r}: {self.ours!r} here, {self.theirs!r} in the library"


@dataclass(frozen=True)
class Comparison:
    """The differences of one file.

    ``differences`` counts texts. ``smallest`` has the smallest example of each kind. ``refusal``: why bpeviz
    does not open the file; empty if it does.
    """

    model: str
    file: str
    texts: int
    differences: int
    smallest: tuple[Difference, ...] = ()
    refusal: str = ""

    @property
    def result(self) -> str:
        if self.refusal:
            return f"refused: {self.refusal}"
        return "; ".join(map(str, self.smallest)) or "identical"


def compare_file(real: RealTokenizer, texts: Sequence[str] | None = None) -> Comparison:
    """Compare a tokenizer with the real library, on the hard texts if no others are given."""
    texts = hard_texts() if texts is None else texts
    try:
        tokenizer = real.open()
    except BpevizError as error:
        return Comparison(real.model, real.file, 0, 0, refusal=str(error))
    library = real.open_library()
    find = [partial(differences, tokenizer, library, allowed_special=real.allowed_special)]
    if real.open_without_special:
        find.append(partial(_plain_differences, tokenizer, real.open_without_special()))
    found = [(difference, function) for function in find for difference in function(texts)]
    found.sort(key=lambda pair: len(pair[0].text), reverse=True)
    shortest = {difference.kind: (difference, function) for difference, function in found}
    smallest = tuple(_shrink(difference, function) for difference, function in shortest.values())
    differing = {difference.text for difference, _ in found}
    return Comparison(real.model, real.file, len(texts), len(differing), smallest)


def differences(
    tokenizer: Tokenizer,
    library: Library,
    texts: Sequence[str],
    allowed_special: AbstractSet[str] | Literal["all"] = "all",
) -> list[Difference]:
    """All differences of all texts, at most one of a kind in a text."""
    last_rank = len(tokenizer.merges)
    found: dict[tuple[str, str], Difference] = {}
    for number, (text, theirs) in enumerate(zip(texts, library.encode_all(texts), strict=True)):
        try:
            ids, gap_ranks = tokenizer.encode_with_gap_ranks(text, allowed_special=allowed_special)
            twice = number % ENCODED_TWICE == 0
            again = tokenizer.encode(text, allowed_special=allowed_special) if twice else ids
            decoded = tokenizer.decode(theirs.ids)
        except PipelineError:  # the installed library lacks what every text needs
            raise
        except Exception as error:  # the report names it
            raised = f"{type(error).__name__}: {error}"
            found["ids", text] = Difference("ids", text, raised, theirs.ids)
            continue
        compared: list[tuple[str, object, object]] = [
            ("ids", ids, theirs.ids),
            ("ids", again, theirs.ids),
            ("decoding", decoded, library.decode(theirs.ids)),
        ]
        if theirs.ends is not None:
            last_bytes = token_ends(gap_ranks, last_rank).tolist()
            ends = _at_first_offsets(character_ends(text, (byte + 1 for byte in last_bytes)), theirs.ends)
            compared.append(("boundaries", ends, [first for first, _ in theirs.ends]))
        for kind, one, other in compared:
            if one != other:
                found.setdefault((kind, text), Difference(kind, text, one, other))
    return list(found.values())


def _at_first_offsets(ends: list[int], ranges: list[tuple[int, int]]) -> list[int]:
    """Each end moved to the first offset of the range that holds it."""
    first_of = {offset: first for first, last in ranges for offset in range(first, last + 1)}
    return [first_of.get(end, end) for end in ends]


def _plain_differences(tokenizer: Tokenizer, library: Library, texts: Sequence[str]) -> list[Difference]:
    """The texts with special tokens that get other ids where all is plain text."""
    chosen = [text for text in texts if any(token in text for token in tokenizer.special_tokens)]
    pairs = zip(chosen, library.encode_all(chosen), strict=True)
    return [
        Difference("plain ids", text, ids, theirs.ids)
        for text, theirs in pairs
        if (ids := tokenizer.encode(text)) != theirs.ids
    ]


def _shrink(difference: Difference, find: Callable[[Sequence[str]], list[Difference]]) -> Difference:
    """A difference of the same kind in a shorter text: parts are left out as long as it remains."""
    tries, size = 0, max(len(difference.text) // 2, 1)
    while size and tries < MOST_TRIES:
        start = 0
        while start < len(difference.text) and tries < MOST_TRIES:
            tries += 1
            shorter = find([difference.text[:start] + difference.text[start + size :]])
            same = [each for each in shorter if each.kind == difference.kind]
            difference = same[0] if same else difference
            start += 0 if same else size
        size //= 2
    return difference


def in_table(real: RealTokenizer) -> bool:
    """Whether docs/tokenizers.md has one row of a file, and it reads "identical"."""
    lines = (ROOT / "docs" / "tokenizers.md").read_text("utf-8").splitlines()
    rows = [line for line in lines if line.startswith(f"| {real.model} | `{real.file}` |")]
    return len(rows) == 1 and rows[0].endswith("| identical |")
