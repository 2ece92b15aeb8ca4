r"""Split patterns: regular expressions that cut a text into pre-tokens, which no merge crosses.

    split("the cat's hat", "gpt2")  ->  ["the", " cat", "'s", " hat"]

Every pattern must cover the text: the joined pre-tokens are the text again. The named patterns do so by
construction; a custom pattern is checked on every text.

The named patterns are known to be fast. Any other may come from a stranger, so another process compiles it
first, and searches long texts with it (see pattern_tasks).
"""

import re
import time
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache, partial
from itertools import accumulate, pairwise
from types import MappingProxyType
from typing import Any, TypeVar, cast

import regex
from regex import Pattern

from bpeviz.cached import cached_property
from bpeviz.errors import CorpusError, SplitPatternError
from bpeviz.text.characters import without_newer_characters
from bpeviz.text.named_patterns import (
    ENDS_STRETCHES,
    NAMED_PATTERNS,
    WORDS_PATTERN,
    NamedPattern,
    for_ascii,
)
from bpeviz.text.pattern_search import (
    compile_pattern,
    ends_of_matches,
    findall,
    spans_of_matches,
    too_large,
    too_slow,
    uncovered,
)
from bpeviz.text.pattern_tasks import DOES_NOT_FIT, check_pattern, compiled_size, find_ends, find_spans
from bpeviz.text.special_tokens import SpecialTokenFinder, listed_special_tokens
from bpeviz.text.utf8 import check_text
from bpeviz.words import in_short

__all__ = [
    "CUSTOM",
    "DEFAULT_TIMEOUT_SECONDS",
    "SPLIT_PATTERNS",
    "WORDS",
    "SplitPattern",
    "custom_split_pattern",
    "get_split_pattern",
    "split",
]

T = TypeVar("T")

_RECURSION = regex.compile(r"\(\?(?:R|[+-]?\d|&|P>)")

#: The name of every custom pattern.
CUSTOM = "custom"
MAX_PATTERN_LENGTH = 500
#: A larger pattern is refused without starting a process: it would take more than COMPILE_BYTES.
MAX_COMPILED_SIZE = 50_000
DEFAULT_TIMEOUT_SECONDS = 10.0
_COMPILED = "_compiled"
#: A line with its end: the stretch of every pattern that splits line by line.
_LINE = r"[^\n]*\n|[^\n]+"
#: The same for a custom pattern, on a text of at most so many characters. What takes longer, or has more,
#: goes to another process, which takes a twentieth of a second to start.
CUSTOM_ALONE_SECONDS = 0.02
CUSTOM_CHARACTERS = 20_000
#: This many characters take some 20 milliseconds.
PART_CHARACTERS = 100_000


@dataclass(frozen=True)
class SplitPattern:
    """A named way to cut a text into pre-tokens.

    ``regex`` is None if the whole text is one pre-token. ``covers_any_text`` is for named patterns, which are
    known to leave nothing out and need no check. ``stretch`` is an expression of the built-in ``re`` that
    matches the stretches of a text one after the other; None if none is known. ``timeout_seconds`` limits
    every search. ``older_unicode`` is for tokenizers of libraries whose Unicode tables are older: see
    ``characters``. Patterns that differ only in these two are equal. ``special_tokens`` are pre-tokens
    wherever they occur, and the pattern splits each part between them alone: see cut_at. ``found_last`` and
    ``as_text`` say how these are searched for: see SpecialTokenFinder. With ``by_line`` it splits each line
    alone, with its line end: see line_by_line.
    """

    name: str
    regex: str | None
    covers_any_text: bool = False
    stretch: str | None = None
    timeout_seconds: float = field(default=DEFAULT_TIMEOUT_SECONDS, compare=False)
    older_unicode: bool = field(default=False, compare=False)
    special_tokens: tuple[str, ...] = field(default=(), repr=False)
    found_last: tuple[str, ...] = field(default=(), repr=False)
    as_text: tuple[str, ...] = field(default=(), repr=False)
    by_line: bool = False

    def split(self, text: str, *, timeout: float | None = None) -> list[str]:
        """Cut ``text`` into pre-tokens; joined they are ``text``.

        ``timeout`` limits the search in seconds, instead of ``timeout_seconds``. Raises SplitPatternError if
        time or memory runs out, or if the pattern matches the empty string or leaves part of the text
        uncovered.
        """
        timeout = self.timeout_seconds if timeout is None else _checked_timeout(timeout)
        if not isinstance(text, str):
            raise CorpusError(f"A text must be a string, not {type(text).__name__}; decode bytes first.")
        if self.special_tokens:
            return self._split_between_special_tokens(text, timeout)
        if self.by_line:
            return self._split_by_line(text, timeout)
        if self.regex is None:
            return [text] if text else []
        if self.older_unicode and (stand_in := without_newer_characters(text)) != text:
            found = accumulate(map(len, replace(self, older_unicode=False).split(stand_in, timeout=timeout)))
            return [text[start:end] for start, end in pairwise([0, *found])]
        if self.regex not in _TRUSTED:
            ends = self._ends(self.regex, text, timeout)
            return [text[start:end] for start, end in pairwise([0, *ends])]
        search, until = _compile(self.regex).findall, time.process_time() + timeout
        try:
            return [p for part in self._parts(text) for p in findall(search, part, until)]
        except TimeoutError:
            raise too_slow(self.regex, timeout) from None

    def cut_at(
        self, special_tokens: Iterable[str], *, last: Collection[str] = (), as_text: Collection[str] = ()
    ) -> "SplitPattern":
        """Return the same pattern, but each special token is a pre-token wherever it occurs.

        A text is cut at them first, at the longest where they overlap. The pattern splits each part between
        them as if it were the whole text. ``last`` and ``as_text`` are those of SpecialTokenFinder. Raises
        CorpusError, TrainingSettingsError.

            get_split_pattern("gpt2").cut_at(["<s>"]).split("a<s> b")  ->  ["a", "<s>", " b"]
        """
        tokens = tuple(sorted({token for token in listed_special_tokens(special_tokens) if token}))
        for token in tokens:
            check_text(token)
        # no stretch may end inside a special token
        apart = self.stretch is not None and not any(map(ENDS_STRETCHES.search, (*tokens, *as_text)))
        return replace(
            self,
            special_tokens=tokens,
            found_last=tuple(sorted(last)),
            as_text=tuple(sorted({*as_text}.difference(tokens))),
            stretch=self.stretch if apart else None,
        )

    def line_by_line(self) -> "SplitPattern":
        r"""Return the same pattern, but it splits each line alone, as a trainer that reads a file line by
        line does. Only \n ends a line, and belongs to it.

            get_split_pattern("gpt2").line_by_line().split("a\n\nb")  ->  ["a", "\n", "\n", "b"]
        """
        return replace(self, by_line=True, stretch=None if self.special_tokens else _LINE)

    @cached_property
    def of_whole_texts(self) -> "SplitPattern":
        """The pattern that splits a whole text, not line by line; it isn't compiled again."""
        return self._like(by_line=False) if self.by_line else self

    def parts(self, text: str) -> Iterator[tuple[str, bool]]:
        """Return the parts of ``text`` between special tokens and these, and whether each is a special
        token."""
        return self._finder.cut(text)

    @cached_property
    def _finder(self) -> SpecialTokenFinder:
        return SpecialTokenFinder(self.special_tokens, last=self.found_last, as_text=self.as_text)

    @cached_property
    def between_special_tokens(self) -> "SplitPattern":
        """The pattern that splits the parts between special tokens; it isn't compiled again."""
        return self._like(special_tokens=(), found_last=(), as_text=())

    def _like(self, **changes: Any) -> "SplitPattern":
        """Return the pattern with changes, its own stretch, and what is compiled."""
        named = SPLIT_PATTERNS.get(self.name)  # cut_at and line_by_line take its stretch away
        known = named.stretch if named and named.regex == self.regex else None
        like = replace(self, stretch=known, **changes)
        if like.by_line:
            like = like.line_by_line()
        if self.regex is not None:
            like.__dict__[_COMPILED] = self.compiled
        return like

    def _split_by_line(self, text: str, timeout: float) -> list[str]:
        """As split; all lines together may take ``timeout`` seconds."""
        pre_tokens: list[str] = []
        until = time.monotonic() + timeout
        for line in re.findall(_LINE, text):
            if (left := until - time.monotonic()) <= 0:
                raise too_slow(self.regex or "", timeout)
            pre_tokens += self.of_whole_texts.split(line, timeout=left)
        return pre_tokens

    def _split_between_special_tokens(self, text: str, timeout: float) -> list[str]:
        """As split; all parts together may take ``timeout`` seconds."""
        pre_tokens: list[str] = []
        until = time.monotonic() + timeout
        for part, special in self.parts(text):
            if special:
                pre_tokens.append(part)
            elif (left := until - time.monotonic()) > 0:
                pre_tokens += self.between_special_tokens.split(part, timeout=left)
            else:
                raise too_slow(self.regex or "", timeout)
        return pre_tokens

    def spans(self, text: str) -> "tuple[array[int], array[int]]":
        """Where the matches start and end, for a pattern that may leave parts of the text uncovered.

        Raises SplitPatternError if time or memory runs out.
        """
        pattern, timeout = self.regex or "", self.timeout_seconds
        try:
            return self._at_once(spans_of_matches, text, timeout) or find_spans(pattern, text, timeout)
        except MemoryError:
            raise too_large(pattern) from None

    def _ends(self, pattern: str, text: str, timeout: float) -> "array[int]":
        """Where the pre-tokens end. Raises SplitPatternError."""
        try:
            ends, fault = self._at_once(ends_of_matches, text, timeout) or find_ends(pattern, text, timeout)
        except MemoryError:
            raise too_large(pattern) from None
        if fault is not None:
            raise uncovered(pattern, text, fault)
        return ends

    def _at_once(self, search: Callable[..., T], text: str, timeout: float) -> T | None:
        """Return what is found in a short text, searched in this process; None if that takes more than a
        moment."""
        if len(text) > CUSTOM_CHARACTERS:
            return None
        moment = min(timeout, CUSTOM_ALONE_SECONDS)
        try:
            return search(self.compiled, text, timeout=moment, concurrent=False)
        except TimeoutError:
            return None

    @property
    def compiled(self) -> "Pattern[str]":
        """The regular expression, compiled within limits. A custom one is kept only in this object.

        Raises SplitPatternError.
        """
        if (kept := self.__dict__.get(_COMPILED)) is None:  # a cached_property would block all other threads
            kept = self.__dict__[_COMPILED] = _compile(self.regex or "")
        return cast("Pattern[str]", kept)

    def __getstate__(self) -> dict[str, object]:
        """Return the state without the compiled expression: after unpickling it is compiled again, within
        limits."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def within(self, seconds: float) -> "SplitPattern":
        """Return the same pattern with another time limit; it isn't compiled again. Raises
        SplitPatternError."""
        limited = replace(self, timeout_seconds=seconds)
        limited.__dict__[_COMPILED] = self.compiled
        return limited

    def _parts(self, text: str) -> Iterator[str]:
        """Yield the text in parts that split the same way alone; between them other threads can run."""
        start = 0
        while (end := self.end_of_stretch(text, start + PART_CHARACTERS)) is not None:
            yield text[start:end]
            start = end
        yield text[start:]

    def end_of_stretch(self, text: str, position: int) -> int | None:
        """Where the stretch at or around ``position`` ends; None if it may reach the end of the text."""
        if self.stretch is None or position >= len(text):
            return None
        found = re.compile(self.stretch).match(text, position)
        return found.end() if found and found.end() < len(text) else None

    def splitter_of_stretches(self) -> Callable[[str], list[str]]:
        """Return a function that splits stretches, one or several joined. If stretches are known, it needs
        none of the limits of ``split``.

        The built-in ``re`` is about twice as fast as ``regex`` but has no Unicode classes. So it gets
        ASCII text, and a pattern with its classes written for ASCII.
        """
        limited = self.regex not in _TRUSTED or self.stretch is None or self.older_unicode or self.by_line
        if self.regex is None or limited or self.special_tokens:
            return self.split
        of_any = partial(_compile(self.regex).findall, concurrent=False)
        of_ascii = re.compile(for_ascii(self.regex), re.ASCII).findall
        return lambda text: of_ascii(text) if text.isascii() else of_any(text)


def _compile(pattern: str) -> "Pattern[str]":
    if pattern in _TRUSTED:
        return _compile_trusted(pattern)
    check_pattern(pattern)
    try:
        return compile_pattern(pattern)
    except Exception as error:
        raise SplitPatternError(f"The split pattern does not compile: {error}.", pattern=pattern) from None


@cache  # there are few
def _compile_trusted(pattern: str) -> "Pattern[str]":
    return regex.compile(pattern, cache_pattern=False)


def _trusted(pattern: NamedPattern) -> SplitPattern:
    return SplitPattern(pattern.name, pattern.regex, covers_any_text=True, stretch=pattern.stretch)


SPLIT_PATTERNS: Mapping[str, SplitPattern] = MappingProxyType(
    {name: _trusted(pattern) for name, pattern in NAMED_PATTERNS.items()}
)
WORDS = _trusted(WORDS_PATTERN)
_TRUSTED = frozenset(p.regex or "" for p in (*SPLIT_PATTERNS.values(), WORDS))


def custom_split_pattern(pattern: str, *, timeout: float = DEFAULT_TIMEOUT_SECONDS) -> SplitPattern:
    """Return a split pattern from a regular expression in the syntax of the ``regex`` package. ``timeout``
    limits, in seconds, how long it may take on a text.

    Raises SplitPatternError if it is empty, too long, does not compile or matches the empty string.
    """
    if not isinstance(pattern, str):
        raise _no_text(pattern, "a regular expression as text")
    if not pattern:
        raise SplitPatternError(
            "The custom split pattern is empty. Write a regular expression, or choose a named pattern.",
            pattern=pattern,
        )
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise SplitPatternError(
            f"The custom split pattern has {len(pattern):,} characters; the limit is {MAX_PATTERN_LENGTH:,}.",
            pattern=pattern,
        )
    try:
        pattern.encode("utf-8")
    except UnicodeEncodeError:
        raise SplitPatternError(
            "The split pattern holds half of a surrogate pair, which no text holds. Remove it.",
            pattern=pattern,
        ) from None
    if _RECURSION.search(pattern):
        raise SplitPatternError(
            "The split pattern calls itself, which can need unlimited memory. Write it without (?R), (?1), "
            "(?&name) or (?P>name).",
            pattern=pattern,
        )
    if compiled_size(pattern) > MAX_COMPILED_SIZE:
        raise SplitPatternError(DOES_NOT_FIT, pattern=pattern)
    if check_pattern(pattern):
        raise SplitPatternError(
            "The split pattern matches the empty string. "
            "Every alternative must match at least one character: + in place of *, for instance.",
            pattern=pattern,
        )
    return SplitPattern(CUSTOM, pattern, timeout_seconds=_checked_timeout(timeout))


def _checked_timeout(timeout: float) -> float:
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not timeout >= 0:
        raise SplitPatternError(f"timeout is a number of seconds, not {in_short(repr(timeout))}.", pattern="")
    return timeout


def _no_text(given: object, wanted: str) -> SplitPatternError:
    return SplitPatternError(
        f"A split pattern is {wanted}, not {type(given).__name__}.", pattern=in_short(repr(given))
    )


def get_split_pattern(split: str | SplitPattern) -> SplitPattern:
    """Return the split pattern of a name; a SplitPattern is returned unchanged."""
    if isinstance(split, SplitPattern):
        return split
    if not isinstance(split, str):
        raise _no_text(split, "a name, such as 'gpt2', or a SplitPattern")
    if split not in SPLIT_PATTERNS:
        raise SplitPatternError(
            f"There is no split pattern named {split!r}. Choose one of: {', '.join(SPLIT_PATTERNS)}; "
            "for your own regular expression use custom_split_pattern().",
            pattern=split,
        )
    return SPLIT_PATTERNS[split]


def split(text: str, pattern: str | SplitPattern, *, timeout: float | None = None) -> list[str]:
    """Cut ``text`` into pre-tokens by a named pattern or a SplitPattern: see SplitPattern.split."""
    return get_split_pattern(pattern).split(text, timeout=timeout)
