"""The special tokens of a tokenizer that a caller allows, and a text cut at them.

{"<s>": 7} in "a<s>b"     allowed_special=()       ->  ("a<s>b", None)
allowed_special="all"    ->  ("a", None), ("<s>", 7), ("b", None)
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

from bpeviz.cached import cached_property
from bpeviz.errors import TokenizerError
from bpeviz.text.special_tokens import SpecialTokenFinder
from bpeviz.text.utf8 import check_text
from bpeviz.words import in_short

__all__ = ["AllowedSpecial", "SpecialTokenSearch"]

AllowedSpecial = Collection[str] | Literal["all"]
#: So many special tokens are listed in an error.
MOST_LISTED = 20


class SpecialTokenSearch:
    """Finds special tokens, whose ids ``special_tokens`` has; those of ``found_last`` after all others."""

    def __init__(self, special_tokens: Mapping[str, int], found_last: Iterable[str]) -> None:
        self._ids = special_tokens
        self._found_last = frozenset(found_last)

    def allowed(self, allowed_special: AllowedSpecial) -> Collection[str]:
        """Return the special tokens that are allowed. Raises TokenizerError for an unknown one, and for what
        is no list."""
        if allowed_special == "all":
            return self._findable
        if isinstance(allowed_special, str | bytes) or not isinstance(allowed_special, Collection):
            raise _not_a_list(allowed_special)
        for token in allowed_special:
            if token not in self._ids:
                raise _no_special_token(token, list(self._ids))
        return self._findable.intersection(allowed_special)

    def parts(self, text: str, allowed_special: AllowedSpecial) -> list[tuple[str, int | None]]:
        """``text`` cut at the allowed special tokens: each part, with its id if it is a special token."""
        check_text(text)
        parts = [(text, False)] if text else []
        for finder in self._finders(allowed_special):
            parts = [
                cut for part, special in parts for cut in ([(part, True)] if special else finder.cut(part))
            ]
        return [(part, self._ids[part] if special else None) for part, special in parts]

    @cached_property
    def _findable(self) -> frozenset[str]:
        """The special tokens that a text may hold: of several with one id, the last."""
        return frozenset({i: token for token, i in self._ids.items()}.values())

    def _finders(self, allowed_special: AllowedSpecial) -> Sequence[SpecialTokenFinder]:
        """Return the finders that cut the allowed special tokens out of a text, one after the other."""
        if allowed_special == "all":
            return self._finders_of_all
        return self._finders_of(self.allowed(allowed_special))

    @cached_property
    def _finders_of_all(self) -> Sequence[SpecialTokenFinder]:
        return self._finders_of(self._findable)

    def _finders_of(self, tokens: Collection[str]) -> Sequence[SpecialTokenFinder]:
        first, last = set(tokens) - self._found_last, self._found_last.intersection(tokens)
        return [SpecialTokenFinder(found) for found in (first, last) if found]


def _not_a_list(given: object) -> TokenizerError:
    shown = f"the text {in_short(repr(given), 44)}" if isinstance(given, str) else type(given).__name__
    listed = in_short(repr(given), 44) if isinstance(given, str) else "'<s>'"
    return TokenizerError(
        f"allowed_special is {shown}, and must be a list of special tokens or the word 'all'. "
        f"Put the token in a list: [{listed}]."
    )


def _no_special_token(token: str, known: Sequence[str]) -> TokenizerError:
    more = f" and {len(known) - MOST_LISTED:,} more" if len(known) > MOST_LISTED else ""
    listed = ", ".join(in_short(each) for each in known[:MOST_LISTED])
    have = f"It has: {listed}{more}." if known else "It has none."
    return TokenizerError(f"This tokenizer has no special token {in_short(repr(token))}. {have}")
