"""The special tokens of a tokenizer that a caller allows, and a text cut at them.

    {"<s>": 7} in "a<s>b"     allowed_special=()       ->  ("a<s>b", None)
                              allowed_special="all"    ->  ("a", None), ("<s>", 7), ("b", None)

Added tokens that aren't special, such as the runs of spaces of GPT-NeoX, are found whatever a caller allows.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from bpeviz.cached import cached_property
from bpeviz.errors import TokenizerError
from bpeviz.text.special_tokens import SpecialTokenFinder
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.text.utf8 import check_text
from bpeviz.words import in_short

__all__ = ["AllowedSpecial", "SpecialTokenSearch"]

AllowedSpecial = Collection[str] | Literal["all"]
#: So many special tokens are listed in an error.
MOST_LISTED = 20


class SpecialTokenSearch:
    """Finds special tokens, whose ids ``special_tokens`` has; those of ``found_last`` after all others, and
    those of ``found_always`` whatever is allowed."""

    def __init__(
        self, special_tokens: Mapping[str, int], found_last: Collection[str], found_always: Collection[str]
    ) -> None:
        self._ids = special_tokens
        self._found_last = frozenset(found_last)
        # of several tokens with one id, a text may hold the last
        self._findable = frozenset({i: token for token, i in special_tokens.items()}.values())
        self._always = self._findable.intersection(found_always)

    def allowed(self, allowed_special: AllowedSpecial) -> Collection[str]:
        """Return the tokens to look for. Raises TokenizerError for an unknown one, and for what is no
        list."""
        if allowed_special == "all":
            return self._findable
        if isinstance(allowed_special, str | bytes) or not isinstance(allowed_special, Collection):
            raise _not_a_list(allowed_special)
        for token in allowed_special:
            if token not in self._ids:
                raise _no_special_token(token, list(self._ids))
        return self._findable.intersection(allowed_special) | self._always

    def parts(self, text: str, allowed_special: AllowedSpecial) -> list[tuple[str, int | None]]:
        """``text`` cut at the allowed special tokens: each part, with its id if it is a special token."""
        check_text(text)
        found = self._finder(allowed_special).cut(text)
        return [(part, self._ids[part] if special else None) for part, special in found]

    def cut(self, split: SplitPattern) -> SplitPattern:
        """Return a split pattern that also cuts at the tokens which are always found."""
        if not self._always:
            return split
        return split.cut_at(self._always, last=self._found_last, as_text=self._findable)

    def _finder(self, allowed_special: AllowedSpecial) -> SpecialTokenFinder:
        if allowed_special == "all":
            return self._finder_of_all
        if allowed_special == ():
            return self._finder_of_none
        return self._finder_of(self.allowed(allowed_special))

    @cached_property
    def _finder_of_all(self) -> SpecialTokenFinder:
        return self._finder_of(self._findable)

    @cached_property
    def _finder_of_none(self) -> SpecialTokenFinder:
        return self._finder_of(self.allowed(()))

    def _finder_of(self, tokens: Collection[str]) -> SpecialTokenFinder:
        as_text = self._findable if self._always else ()
        return SpecialTokenFinder(tokens, last=self._found_last, as_text=as_text)


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
