"""Why a part of a text is not one token, in sentences.

The sentences are plain text that quotes the text: escape them to show them. bpeviz.tokenizer.one_token finds
the reasons.
"""

from collections.abc import Callable
from itertools import pairwise

from bpeviz.text.token_text import visible
from bpeviz.tokenizer.encoding import PreTokenEncoding
from bpeviz.tokenizer.one_token import Makings, PlacedMerge, Reason, WhyNotOneToken, why_of_pre_token
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["answer", "answer_of_word"]

MOST_NAMED = 12
#: So many parts fit into the verdict.
FEW = 4


def answer(tokenizer: Tokenizer, text: str, why: WhyNotOneToken) -> list[str]:
    """Return the sentences, the verdict first."""
    return _Answer(tokenizer, text.encode("utf-8"), why).sentences()


def answer_of_word(makings: Makings, encoded: bytes, word: PreTokenEncoding) -> list[str]:
    """Return the same for a pre-token of a text, by the text's bytes."""
    spelled = _quoted(encoded[word.start : word.end])
    if word.special:
        return [f"{spelled} is one token: a special token, taken whole."]
    if word.whole:
        return [f"{spelled} is one token: the vocabulary lists it whole, and no merge makes it."]
    return _Answer(makings.tokenizer, encoded, why_of_pre_token(makings, word)).sentences()


class _Answer:
    def __init__(self, tokenizer: Tokenizer, encoded: bytes, why: WhyNotOneToken) -> None:
        self.tokenizer = tokenizer
        self.encoded = encoded
        self.why = why
        #: What the tokenizer merges: the part, or what it turns the part into first.
        self.merged = _quoted(self.rewritten() or encoded[why.start : why.end])
        self.part = self.quoted(why.start, why.end) if why.start < why.end else self.merged

    def sentences(self) -> list[str]:
        said: dict[Reason, Callable[[], list[str]]] = {
            "one-token": self.one_token,
            "wall": self.wall,
            "skipped": lambda: self.split_by("this tokenizer drops white space in it"),
            "symbol": lambda: self.split_by("it begins or ends inside a symbol of the base vocabulary"),
            "crossing": self.crossing,
            "never-made": self.never_made,
            "out-of-reach": self.out_of_reach,
            "whole-only": self.whole_only,
            "no-merges": lambda: self.split_by("this model has no merges"),
        }
        verdict, *more = said[self.why.reason]()
        return [verdict, *self.rewriting(), *more, *self.special()]

    def special(self) -> list[str]:
        """Say that the part has the text of a special token, which the encoding takes for plain text."""
        token_id = self.tokenizer.special_tokens.get(
            self.encoded[self.why.start : self.why.end].decode("utf-8", "replace")
        )
        if token_id is None:
            return []
        return [f"As a special token it has the id {token_id}. Here special tokens are plain text."]

    def rewritten(self) -> bytes:
        """Return what the tokenizer makes of the part before it merges, if that is something else. The mark
        of the end of a word and spaces before the part are no change."""
        if self.why.walls:
            return b""
        spelled = self.why.spelled.removesuffix(self.tokenizer.base.end_of_word.encode("utf-8"))
        part = self.encoded[self.why.start : self.why.end]
        return b"" if spelled.lstrip(b" ") == part.lstrip(b" ") else spelled

    def rewriting(self) -> list[str]:
        return [] if self.part == self.merged else [f"This tokenizer first turns it into {self.merged}."]

    def split_by(self, why: str) -> list[str]:
        return [self.split_because(why), self.ends()]

    def split_because(self, why: str, where: str = "") -> str:
        return f"{self.part} is not one token{where}: {why}."

    def one_token(self) -> list[str]:
        """Without a making, a library cuts texts by rules of another kind."""
        making, (token_id,) = self.why.making, self.why.token_ids
        if making is None:
            return [f"{self.part} is one token.", f"Its id is {token_id}."]
        made = "it is a base symbol" if making.rank is None else f"{_merge(making.rank)} makes it"
        if making.whole:
            made = "the vocabulary lists it whole, and no merge makes it"
        return [f"{self.part} is one token: {made}.", f"Its id is {token_id}."]

    def wall(self) -> list[str]:
        if not self.why.walls:
            return self.split_by(f"{self.cutter()} cuts what the tokenizer turns it into")
        edges = [self.why.start, *self.why.walls, self.why.end]
        pieces = [self.quoted(start, end) for start, end in pairwise(edges)]
        return [
            self.split_because(f"{self.cutter()} cuts it"),
            f"Its pre-tokens are {_listed(pieces, ' and ')}.",
            "No merge crosses from one pre-token into another.",
            self.ends(),
        ]

    def cutter(self) -> str:
        if self.tokenizer.pipeline is not None:
            return "the pre-tokenizer of its file"
        return f"the split pattern “{self.tokenizer.split.name}”"

    def crossing(self) -> list[str]:
        merge, start, end = self.merge, self.why.start, self.why.end
        left, right = merge.pair
        if merge.middle == start:
            inside = self.quoted_or_token(start, min(end, merge.end), right)
            outside = f"the {self.quoted_or_token(merge.start, start, left)} before it"
        else:
            inside = self.quoted_or_token(max(start, merge.start), end, left)
            outside = f"the {self.quoted_or_token(end, merge.end, right)} after it"
        taken = "it" if inside == self.part else f"its {inside}"
        return [
            self.split_because(f"{_merge(merge.rank)} joins {taken} to {outside}", " here"),
            f"That makes {self.token(merge.token_id)}, and no later merge splits it.",
            self.ends(),
            self.elsewhere(),
        ]

    def elsewhere(self) -> str:
        """Return whether the vocabulary has the part anyway."""
        if self.why.making is None:
            return self.never()
        if self.why.unreachable:
            return (
                f"The vocabulary has {self.merged}: {self.made()}. Other merges always come before that one."
            )
        return f"In other places {self.merged} is one token: {self.made()}."

    def never_made(self) -> list[str]:
        if not self.tokenizer.merges:
            return self.split_by("there are no merges")
        ids = self.why.token_ids
        if len(ids) <= FEW:
            parted = f"no merge joins {' + '.join(map(self.token, ids))}"
        else:
            neighbours = " + ".join(map(self.token, ids[:2]))
            parted = f"no merge joins two of its {len(ids):,} parts, such as {neighbours}"
        return [self.split_because(parted), self.ends(), self.never()]

    def out_of_reach(self) -> list[str]:
        known = f"The vocabulary has {self.merged}: {self.made()}."
        if self.why.merge is None:
            return [self.split_because("no merge reaches it", " here"), known, self.ends()]
        other = self.token(self.merge.token_id)
        first = f"{_merge(self.merge.rank)} makes {other} first"
        apart = f"It has {other} at another place." if self.why.elsewhere else f"It is not made of {other}."
        return [self.split_because(first, " here"), known, apart, self.ends()]

    def whole_only(self) -> list[str]:
        return [
            self.split_because("only a whole pre-token becomes it", " here"),
            f"The vocabulary has {self.merged}: {self.made()}.",
            self.ends(),
        ]

    @property
    def merge(self) -> PlacedMerge:
        if self.why.merge is None:
            raise LookupError("this reason has no merge")
        return self.why.merge

    def made(self) -> str:
        if self.why.making is None:
            raise LookupError("this part is not in the vocabulary")
        token_id, rank = self.why.making.token_id, self.why.making.rank
        if self.why.making.whole:
            return f"id {token_id}, which no merge makes"
        return f"id {token_id}, " + ("a base symbol" if rank is None else f"made by {_merge(rank)}")

    def never(self) -> str:
        """Say that no merge makes the token."""
        merges = len(self.tokenizer.paired)
        if not merges:
            return "There are no merges."
        mark = self.tokenizer.base.end_of_word
        where = (
            f" with {mark}, at the end of a word" if self.why.ends_word else " inside a word" if mark else ""
        )
        none = "The only merge does not make" if merges == 1 else f"None of the {merges:,} merges makes"
        return f"{none} {self.merged}{where}."

    def ends(self) -> str:
        """Return the tokens that the part becomes, or the one it ends up inside."""
        tokens = [f"{self.token(token_id)} ({token_id})" for token_id in self.why.token_ids]
        if not tokens:
            return "It becomes no token at all."
        if len(tokens) == 1:
            it = "What is left of it" if self.why.reason == "skipped" else "It"
            return f"{it} is inside the token {tokens[0]}."
        within = "It is spread over" if self.why.reason == "crossing" else "It becomes"
        return f"{within} {len(tokens):,} tokens: {_listed(tokens, ' + ', ' + ')}."

    def token(self, token_id: int) -> str:
        return _quoted(self.tokenizer.token_bytes(token_id))

    def quoted_or_token(self, start: int, end: int, token_id: int) -> str:
        """Quote the bytes from ``start`` to ``end``, or the token if it holds none of them."""
        return self.quoted(start, end) if start < end else self.token(token_id)

    def quoted(self, start: int, end: int) -> str:
        return _quoted(self.encoded[start:end])


def _merge(rank: int) -> str:
    return f"merge {rank + 1:,}"


def _quoted(token: bytes) -> str:
    """Return a token in quotation marks, its writing direction isolated."""
    return f"“\u2068{visible(token)}\u2069”"


def _listed(names: list[str], last: str, between: str = ", ") -> str:
    if len(names) > MOST_NAMED:
        return f"{between.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED:,} more"
    return last.join([between.join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
