r"""The seam: which tokens at the end of a text are settled, and which would change with what follows.

    http:          the last token : is open: "://" is another token, so in "http://" there is no ":" token
    settled        http
    continuations  :   ://   :\   :,   …      324 in cl100k

The tokens of settled pre-tokens are settled: see ``settled_end``. A continuation is what the open bytes
become if a token begins in them that reaches beyond. tiktoken's encode_with_unstable holds only the last
pre-token for open, and white space before it. That is too little: "you'l" ends in "'" and "l", but "you'll"
in "'ll". ``tiktoken_seam`` is its answer.

Tokens in the middle of a text depend on what is around them in the same way: ``edit_reach`` says which ones
an edit changes.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.core.merging_orders import merge_by_rank
from bpeviz.errors import TokenizerError
from bpeviz.text.split_patterns import CUSTOM
from bpeviz.text.utf8 import text_of
from bpeviz.tokenizer.settled import settled_end
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["EditReach", "Seam", "edit_reach", "seam", "tiktoken_seam"]

_WHITE_SPACE = frozenset(b" \n\t")
#: White space for Python, not for Unicode and tiktoken.
_SEPARATORS = "\x1c\x1d\x1e\x1f"
#: More open bytes would take minutes: every place in them is tried with every token.
MOST_OPEN_BYTES = 200


@dataclass(frozen=True)
class Seam:
    """The ``settled`` ids of a text, whatever follows; the ``open_ids`` of the rest, and its ``open_bytes``;
    and the ``continuations``: what the open bytes may be in a longer text, each the ids that begin in them.

    The last token of a continuation may reach beyond the text. It is ``proved`` that the settled ids stay,
    but for a custom split pattern, with which they stay in all that was tried.
    """

    settled: tuple[int, ...]
    open_ids: tuple[int, ...]
    open_bytes: bytes
    continuations: frozenset[tuple[int, ...]]
    proved: bool


def seam(tokenizer: Tokenizer, text: str) -> Seam:
    """Return which tokens at the end of a text are open.

    >>> from bpeviz import load_pretrained
    >>> found = seam(load_pretrained("cl100k_base"), "http:")
    >>> len(found.settled), found.open_bytes, len(found.continuations)
    (1, b':', 324)

    Raises TokenizerError for a tokenizer that isn't byte-level, for one whose text a library prepares, and
    for too many open bytes; what Tokenizer.encode raises.
    """
    _check(tokenizer)
    open_text = text[settled_end(tokenizer.pre_token_split, text) :]
    return _seam(tokenizer, text, open_text, proved=tokenizer.split.name != CUSTOM)


def tiktoken_seam(tokenizer: Tokenizer, text: str) -> Seam:
    """Return what tiktoken's encode_with_unstable returns. Tokens that it calls stable may change: see seam.

    >>> from bpeviz import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> len(tiktoken_seam(gpt2, "you'l").settled), len(seam(gpt2, "you'l").settled)
    (2, 1)

    Raises what seam raises.
    """
    _check(tokenizer)
    last = tokenizer.pre_token_split.split(text)[-1:]
    return _seam(tokenizer, text, "".join(last), with_white_space=True, proved=False)


def _seam(
    tokenizer: Tokenizer, text: str, open_text: str, *, proved: bool, with_white_space: bool = False
) -> Seam:
    """Return the seam of a text that ends in an open text. ``with_white_space``: if this begins with tokens
    of white space, these before it are open too."""
    ids = tokenizer.encode(text)
    total, size = 0, len(open_text.encode("utf-8"))
    while size > 0:
        total += 1
        size -= len(tokenizer.token_bytes(ids[-total]))
    if with_white_space and total and _is_white_space(tokenizer, ids[-total]):
        while total < len(ids) and _is_white_space(tokenizer, ids[-total - 1]):
            total += 1
    settled, open_ids = ids[: len(ids) - total], ids[len(ids) - total :]
    data = tokenizer.decode_bytes(open_ids)
    if len(data) > MOST_OPEN_BYTES:
        raise TokenizerError(
            f"What follows may change the last {len(data):,} bytes of this text; the seam is looked for in "
            f"up to {MOST_OPEN_BYTES:,}. End the text with a shorter word."
        )
    found = _continuations(tokenizer, data) if data else ()
    return Seam(tuple(settled), tuple(open_ids), data, frozenset(found), proved)


def _check(tokenizer: Tokenizer) -> None:
    base = tokenizer.base
    if tokenizer.pipeline is not None or not isinstance(base, ByteVocabulary) or len(base.values) < 256:
        raise TokenizerError(
            "The seam is for tokenizers of bytes, such as GPT-2, cl100k_base or Llama 3. Others change the "
            "text first, so its end isn't where their tokens end. Choose one of bytes."
        )


def _is_white_space(tokenizer: Tokenizer, token_id: int) -> bool:
    return _WHITE_SPACE.issuperset(tokenizer.token_bytes(token_id))


def _continuations(tokenizer: Tokenizer, data: bytes) -> set[tuple[int, ...]]:
    """Return what open bytes may become: one token that begins with them; or, for each place in them, the
    tokens of what is before it and of a token that begins there."""
    found: set[tuple[int, ...]] = {(token_id,) for _, token_id in _beginning_with(tokenizer, data)}
    longer = [
        data[:place] + token
        for place in range(1, len(data))
        for token, _ in _beginning_with(tokenizer, data[place:])
    ]
    found.update(tuple(_covering(tokenizer, ids, len(data))) for ids in _ids_of_all(tokenizer, longer))
    if len(data) > 1 and (parts := _before_white_space(data)) is not None:
        found.add(tuple(i for part in parts for i in _merged(tokenizer, part)))
    return found


def _beginning_with(tokenizer: Tokenizer, start: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield the tokens that begin with some bytes and that a text may have, and their ids."""
    for token in tokenizer.found_always:
        if (spelled := token.encode("utf-8")).startswith(start):
            yield spelled, tokenizer.special_tokens[token]
    tokens = tokenizer.ordinary_tokens
    place = bisect_left(tokens, (start, -1))
    while place < len(tokens) and tokens[place][0].startswith(start):
        yield tokens[place]
        place += 1


def _ids_of_all(tokenizer: Tokenizer, parts: Iterable[bytes]) -> Iterator[list[int]]:
    """Yield the tokens of bytes: as a text, or merged as they are if they end inside a character. There may
    be 100,000, so each distinct pre-token is merged once, and all of them together."""
    split: list[list[str]] = []
    for part in parts:
        text = text_of(part)
        if text is None:
            yield _merged(tokenizer, part)
        else:
            split.append(tokenizer.pre_token_split.split(text))
    added = {token: [tokenizer.special_tokens[token]] for token in tokenizer.found_always}
    distinct = [p for p in dict.fromkeys(chain.from_iterable(split)) if p not in added]
    ids_of = added | dict(zip(distinct, tokenizer.ids_of(distinct), strict=True))
    for pre_tokens in split:
        yield list(chain.from_iterable(map(ids_of.__getitem__, pre_tokens)))


def _merged(tokenizer: Tokenizer, data: bytes) -> list[int]:
    """Return the tokens that merges make of bytes, as if these were one pre-token."""
    base = tokenizer.base
    if not isinstance(base, ByteVocabulary):
        raise TypeError(type(base))
    symbols = base.id_of_byte[list(data)].tolist()
    for _ in merge_by_rank(symbols, tokenizer.merge_of_pair):
        pass
    return [symbol for symbol in symbols if symbol >= 0]


def _covering(tokenizer: Tokenizer, ids: Sequence[int], size: int) -> list[int]:
    """Return the first tokens that together have ``size`` bytes or more."""
    covering: list[int] = []
    for token_id in ids:
        covering.append(token_id)
        size -= len(tokenizer.token_bytes(token_id))
        if size <= 0:
            break
    return covering


def _before_white_space(data: bytes) -> tuple[bytes, bytes] | None:
    r"""Return bytes cut before their last character, if that is white space: "\n\n" may become "\n", "\n" and
    "0", because patterns with \s+(?!\S) leave the last of several to what follows."""
    text = text_of(data)
    if text is None or not text[-1].isspace() or text[-1] in _SEPARATORS:
        return None
    last = len(text[-1].encode("utf-8"))
    return (data[:-last], data[-last:]) if len(data) > last else None


@dataclass(frozen=True)
class EditReach:
    """Which tokens an edit changes: those from place ``first`` on, up to ``end_before`` (excluded) of the
    text before, which become those up to ``end_after`` of the text after."""

    first: int
    end_before: int
    end_after: int


def edit_reach(before: Sequence[int], after: Sequence[int]) -> EditReach:
    """Return which tokens differ between the ids of a text before and after an edit.

    >>> edit_reach([1, 2, 3, 4], [1, 7, 4])
    EditReach(first=1, end_before=3, end_after=2)
    """
    first = 0
    while first < min(len(before), len(after)) and before[first] == after[first]:
        first += 1
    same_end = 0
    while same_end < min(len(before), len(after)) - first and before[-1 - same_end] == after[-1 - same_end]:
        same_end += 1
    return EditReach(first, len(before) - same_end, len(after) - same_end)
