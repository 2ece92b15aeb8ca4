"""A tokenizer's vocabulary as a table: what each token is, how it is made, how often it is used.

    id   token  length  kind    rank  left  right   uses
    116  t      1       base                        3
    256  th     2       merged  0     116   104     0
    257  the    3       merged  1     256   101     2

Search and filters only choose rows; ``making`` says how one token is made. vocabulary_overlap compares
two vocabularies, and one_token says why a word is not one token.
"""

import re
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pandas as pd

from bpeviz.analysis.cut_alone import cut_alone
from bpeviz.core.base_vocabulary import CharacterVocabulary, ListedVocabulary
from bpeviz.core.reach import unreachable_merges
from bpeviz.text.token_text import visible
from bpeviz.text.utf8 import text_of
from bpeviz.tokenizer.encoding import EncodingStep, PreTokenEncoding
from bpeviz.tokenizer.symbol_merger import in_making_order
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = [
    "first_merges",
    "making",
    "occurs_in_utf8",
    "search",
    "token_uses",
    "uses_of",
    "vocabulary_table",
    "written_bytes_of",
]

_CHARACTER_OF_GLYPH = str.maketrans({"␣": " ", "⏎": "\n", "␍": "\r", "⇥": "\t"})
_HEX_DIGITS = frozenset("0123456789abcdefABCDEF")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4,6})")
#: For a character that ends in 0, 1, 2 and 3 continuation bytes, whichever they are.
_FIRST_BYTES = (b"", b"\xc2", b"\xe1", b"\xf1")


def vocabulary_table(tokenizer: Tokenizer) -> pd.DataFrame:
    """Return a table with a row for every token of ``tokenizer``, ids ascending.

    Columns: ``id`` (int64); ``token`` (bytes); ``text``, readable; ``length`` in bytes
    (int64); ``kind``: "base", "merged", "special", "whole" (no merge makes it, only a whole pre-token becomes
    it) or "unused" (nothing makes it); ``rank`` of the first merge that makes it, and the ids ``left`` and
    ``right`` of the pair (Int64, <NA> unless merged); and three of bool:

    - ``valid_utf8``: its bytes are whole characters;
    - ``unreachable``: no text is ever encoded to it, because merging its base symbols by rank gives something
      else, or because UTF-8 never has its bytes, such as FF;
    - ``cut``: its text alone is not one pre-token: the split pattern, or the library that splits, cuts it.
      False for bytes that are not text.

    A base symbol that a merge makes again stays a base symbol. ``attrs["end_of_word"]`` is the mark that the
    tokenizer adds to the end of a word, such as ``</w>``, or empty. Raises SplitPatternError, or
    PipelineError, if splitting takes too long on the tokens.
    """
    vocabulary = tokenizer.vocabulary
    merges = first_merges(tokenizer)
    kinds = _kinds(tokenizer, merges)
    ranks = [merges[i] if kinds[i] == "merged" else None for i in vocabulary]
    pairs = [pair or (None, None) for pair in tokenizer.merges]
    out_of_reach, written_bytes = _out_of_reach(tokenizer, kinds), written_bytes_of(tokenizer)
    texts = [text_of(token) for token in vocabulary.values()]
    table = pd.DataFrame(
        {
            "id": np.array(list(vocabulary), np.int64),
            "token": pd.Series(list(vocabulary.values()), dtype=object),
            "text": pd.Series([visible(token) for token in vocabulary.values()], dtype=object),
            "length": np.array([len(token) for token in vocabulary.values()], np.int64),
            "kind": pd.Series([kinds[i] for i in vocabulary], dtype=object),
            "rank": pd.array(ranks, "Int64"),
            "left": pd.array([None if r is None else pairs[r][0] for r in ranks], "Int64"),
            "right": pd.array([None if r is None else pairs[r][1] for r in ranks], "Int64"),
            "valid_utf8": np.array([text is not None for text in texts], bool),
            "unreachable": np.array(
                [
                    kinds[i] != "special"
                    and i not in written_bytes
                    and (i in out_of_reach or not (text or occurs_in_utf8(token)))
                    for (i, token), text in zip(vocabulary.items(), texts, strict=True)
                ],
                bool,
            ),
            "cut": np.array(cut_alone(tokenizer, _pieced_together(tokenizer, kinds)), bool),
        }
    )
    table.attrs["end_of_word"] = tokenizer.base.end_of_word
    return table


def first_merges(tokenizer: Tokenizer) -> dict[int, int]:
    """Return the rank of the first merge that makes each token, by its id."""
    ranks: dict[int, int] = {}
    for rank, token_id in enumerate(tokenizer.merge_token_ids):
        ranks.setdefault(token_id, rank)
    return ranks


def _kinds(tokenizer: Tokenizer, merges: Mapping[int, int]) -> dict[int, str]:
    return {
        **dict.fromkeys(tokenizer.unmade, "unused"),
        **dict.fromkeys(merges, "merged"),
        **dict.fromkeys(tokenizer.whole_token_ids, "whole"),
        **dict.fromkeys(tokenizer.base.symbol_ids, "base"),
        **dict.fromkeys(tokenizer.special_tokens.values(), "special"),
    }


def _out_of_reach(tokenizer: Tokenizer, kinds: Mapping[int, str]) -> set[int]:
    """Return the tokens that none of their merges can make, or whose symbols no text is spelled in."""
    never = unreachable_merges(tokenizer.paired)
    never_spelled = _never_spelled(tokenizer)
    made = {i for (_, i), unreachable in zip(tokenizer.paired, never, strict=True) if not unreachable}
    return ({i for _, i in tokenizer.paired if kinds[i] == "merged"} - made) | never_spelled


def _pieced_together(tokenizer: Tokenizer, kinds: Mapping[int, str]) -> list[str | None]:
    """Return the text of each token but special ones and base symbols; None for these, and for bytes that are
    no text. If nothing merges, all tokens are base symbols, of which only the unknown token is no text."""
    left_out = {"special", "base"} if tokenizer.paired else {"special"}
    unknown_id = tokenizer.base.unknown_id if isinstance(tokenizer.base, ListedVocabulary) else -1
    return [
        None if kinds[i] in left_out or i == unknown_id else text_of(tokenizer.written(i))
        for i in tokenizer.vocabulary
    ]


def _never_spelled(tokenizer: Tokenizer) -> set[int]:
    """Return the tokens of characters that no text is spelled in, such as two spaces where a run of them is
    one."""
    base = tokenizer.base
    if not isinstance(base, CharacterVocabulary):
        return set()
    never = set(base.never_spelled)
    has_one_space = base.whitespace in ("one-before-word", "one-or-line-feed")
    one_space = base.ids.get(base.space) if has_one_space else None
    spaced = set() if one_space is None else {one_space}
    for rank in in_making_order(base.symbol_ids, tokenizer.ranked):
        pair, token_id = tokenizer.ranked[rank]
        if pair is None:
            continue
        left, right = pair
        if never & {left, right} or right in spaced:
            never.add(token_id)
        elif left in spaced:
            spaced.add(token_id)
    return never


def written_bytes_of(tokenizer: Tokenizer) -> dict[int, str]:
    """Return the texts that become tokens of single bytes as whole pre-tokens, such as <0xC0>, by id."""
    byte_ids = tokenizer.base.byte_ids if isinstance(tokenizer.base, ListedVocabulary) else frozenset()
    return {i: f"<0x{tokenizer.token_bytes(i)[0]:02X}>" for i in byte_ids & {*tokenizer.whole_token_ids}}


def occurs_in_utf8(token: bytes) -> bool:
    """Return whether the UTF-8 of some text holds these bytes, even as parts of characters."""
    tail = re.match(rb"[\x80-\xbf]*", token)
    missing_before = tail.end() if tail else 0
    if missing_before >= len(_FIRST_BYTES):
        return False
    # after E0 and F0 the highest continuation byte is always right, after ED and F4 the lowest
    endings = (b"", *(first + b"\x80" * more for first in (b"\x80", b"\xbf") for more in range(3)))
    return any(text_of(_FIRST_BYTES[missing_before] + token + ending) is not None for ending in endings)


def token_uses(tokenizer: Tokenizer, text: str) -> npt.NDArray[np.int64]:
    """How often the encoding of ``text`` uses each token: int64, one for each row of vocabulary_table(),
    however high the ids are. A character that the vocabulary lacks is not counted.

    Raises what Tokenizer.encode raises.
    """
    return uses_of(tokenizer, np.array(tokenizer.encode(text), np.int64))


def uses_of(tokenizer: Tokenizer, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """How often some ids have each token: int64, one for each row of vocabulary_table()."""
    known = np.array(list(tokenizer.vocabulary), np.int64)
    used, counts = np.unique(ids, return_counts=True)
    is_known = np.isin(used, known)
    uses = np.zeros(len(known), np.int64)
    uses[np.searchsorted(known, used[is_known])] = counts[is_known]
    return uses


def search(table: pd.DataFrame, query: str) -> npt.NDArray[np.bool_]:
    r"""Return whether each row of a vocabulary table matches ``query``; an empty one matches all.

    A query finds a token by part of its text, case-sensitive, with white space unchanged or as visible()
    writes it (␣the, \u200b); by its id; and by some of its bytes in hexadecimal: 0xE381, or at least two as
    E3 81. A query that can be read in several ways finds all of them.
    """
    if not query:
        return np.ones(len(table), np.bool_)
    needles = _needles(query)
    found = np.fromiter(
        (any(needle in token for needle in needles) for token in table["token"]), np.bool_, len(table)
    )
    number = query.strip()
    if number.isascii() and number.isdigit():
        found |= table["id"].to_numpy() == min(int(number[:18]), 2**62)
    return found


def _needles(query: str) -> set[bytes]:
    """Return the bytes that a query may stand for."""
    written = _ESCAPE.sub(_character, query.translate(_CHARACTER_OF_GLYPH))
    needles = {text.encode("utf-8", "surrogatepass") for text in (query, written)}
    if digits := _hex_digits(query):
        needles.add(bytes.fromhex(digits))
    return needles


def _hex_digits(query: str) -> str:
    """Return the digits of bytes in hexadecimal, ``0xE3 81`` or ``E3 81`` -> ``E381``; empty for anything
    else.

    Plain string steps take time in proportion to the query; a regular expression may not.
    """
    words = query.split()
    digits = "".join(words)
    if digits[:2] in ("0x", "0X"):
        digits = digits[2:]
    elif len(words) < 2 or any(len(word) != 2 for word in words):
        return ""
    return digits if len(digits) % 2 == 0 and _HEX_DIGITS.issuperset(digits) else ""


def _character(escape: "re.Match[str]") -> str:
    code_point = int(escape[1], 16)
    return chr(code_point) if code_point < 0x110000 else escape[0]


def making(tokenizer: Tokenizer, token_id: int, *, most: int) -> PreTokenEncoding | None:
    """Return how merges make a token of its base symbols.

        t h e  ->  th e (merge 1)  ->  the (merge 2)

    Each token in it is made by the first merge that makes it. Returns None for a token that no merge makes,
    or of more than ``most`` base symbols. Raises TokenizerError.
    """
    ranks = first_merges(tokenizer)
    kinds = _kinds(tokenizer, ranks)
    symbols: list[int] = []
    steps: list[EncodingStep] = []
    lengths: dict[int, int] = {}  # of each token, in base symbols
    waiting: list[tuple[int, int | None]] = [
        (token_id, None)
    ]  # with where it begins once its halves are there
    tokenizer.token_bytes(token_id)
    while waiting:
        node, start = waiting.pop()
        pair = tokenizer.merges[ranks[node]] if kinds[node] == "merged" else None
        if pair is None:
            symbols.append(node)
            lengths[node] = 1
        elif start is None:
            waiting += [(node, len(symbols)), (pair[1], None), (pair[0], None)]
        else:
            end = len(symbols)
            lengths[node] = end - start
            middle = start + lengths[pair[0]]
            steps.append(EncodingStep(ranks[node], pair, node, start, middle, end, None, None))
        if len(symbols) > most:
            return None
    if not steps:
        return None
    offsets = np.cumsum([0, *(len(tokenizer.token_bytes(i)) for i in symbols)]).tolist()
    steps.sort(key=lambda step: (step.rank, step.start))
    no_ranks = (None,) * (len(symbols) - 1)
    return PreTokenEncoding(0, offsets[-1], tuple(symbols), tuple(offsets), no_ranks, tuple(steps))
