"""Why a part of a text is not one token, in sentences.

The sentences are plain text that quotes the text: escape them to show them. bpeviz.tokenizer.one_token finds
the reasons.
"""

from itertools import pairwise

from bpeviz.text.token_text import visible
from bpeviz.tokenizer.one_token import PlacedMerge, WhyNotOneToken
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["answer"]

MOST_NAMED = 12


def answer(tokenizer: Tokenizer, text: str, why: WhyNotOneToken) -> list[str]:
    """The sentences, the verdict first."""
    return _Answer(tokenizer, text.encode("utf-8"), why).sentences()


class _Answer:
    def __init__(self, tokenizer: Tokenizer, encoded: bytes, why: WhyNotOneToken) -> None:
        self.tokenizer = tokenizer
        self.encoded = encoded
        self.why = why
        self.part = self.quoted(why.start, why.end)

    def sentences(self) -> list[str]:
        match self.why.reason:
            case "one-token":
                said = [f"{self.part} is one token, {self.made()}."]
            case "wall":
                said = self.wall()
            case "skipped":
                drops = "this tokenizer drops white space of it, for which there is no token"
                said = [f"{self.part} is not one token: {drops}.", self.ends()]
            case "symbol":
                cuts = "it begins or ends inside a symbol of the base vocabulary, which nothing cuts"
                said = [f"{self.part} is not one token: {cuts}.", self.ends()]
            case "crossing":
                said = self.crossing()
            case "never-made":
                verdict = f"{self.part} is not one token: the vocabulary has none that is spelled so."
                said = [verdict, self.never(), f"{self.ends()} {self.parted()}"]
            case "out-of-reach":
                said = self.out_of_reach()
            case "no-merges":
                rules = "this model has no merges, and cuts text by rules of another kind"
                said = [f"{self.part} is not one token: {rules}.", self.ends()]
        return said

    def wall(self) -> list[str]:
        edges = [self.why.start, *self.why.walls, self.why.end]
        pieces = [self.quoted(start, end) for start, end in pairwise(edges)]
        return [
            f"{self.part} is not one token: {self.cutter()} cuts it.",
            f"It gives {_listed(pieces, ' and ')}, and no merge crosses from one pre-token into another.",
            self.ends(),
        ]

    def cutter(self) -> str:
        if self.tokenizer.pipeline is not None:
            return "the pre-tokenizer of its file"
        return f"the split pattern “{self.tokenizer.split.name}”"

    def crossing(self) -> list[str]:
        merge, start, end = self.merge, self.why.start, self.why.end
        inside = self.quoted(max(start, merge.start), min(end, merge.end))
        taken = "it" if inside == self.part else f"its {inside}"
        if merge.middle == start:
            outside = f"the {self.quoted(merge.start, start)} before it"
        else:
            outside = f"the {self.quoted(end, merge.end)} after it"
        return [
            f"{self.part} is not one token here: {_merge(merge.rank)} joins {taken} to {outside}.",
            f"That makes {self.makes()}; no merge across either edge has a lower rank, and nothing parts "
            "them again.",
            self.ends(),
            self.elsewhere(),
        ]

    def elsewhere(self) -> str:
        """Whether the vocabulary has the part anyway."""
        if self.why.making is None:
            return f"Nor has the vocabulary any token that is spelled {self.part}. {self.never()}"
        return f"{self.part} itself is in the vocabulary, {self.made()}, but it is not reached here."

    def out_of_reach(self) -> list[str]:
        verdict = f"{self.part} is not one token here, although the vocabulary has it: {self.made()}."
        if self.why.merge is None:
            return [verdict, self.ends()]
        other = f"{_merge(self.merge.rank)} makes {self.makes()}, and {self.part} is not made of that."
        return [verdict, f"But first {other}", f"{self.ends()} {self.parted()}"]

    @property
    def merge(self) -> PlacedMerge:
        if self.why.merge is None:
            raise LookupError("this reason has no merge")
        return self.why.merge

    def makes(self) -> str:
        left, right, whole = (self.token(i) for i in (*self.merge.pair, self.merge.token_id))
        return f"{whole} of {left} + {right}"

    def made(self) -> str:
        if self.why.making is None:
            raise LookupError("this part is not in the vocabulary")
        token_id, rank = self.why.making.token_id, self.why.making.rank
        if rank is None:
            return f"id {token_id}, a symbol of the base vocabulary"
        return f"id {token_id}, first made in training by {_merge(rank)}"

    def never(self) -> str:
        """That no merge makes the token."""
        merges = len(self.tokenizer.merges)
        return f"None of the {merges:,} merges ever made it." if merges else "There are no merges."

    def ends(self) -> str:
        """The tokens that the part becomes, or the one it ends up inside."""
        tokens = [f"{self.token(token_id)} ({token_id})" for token_id in self.why.token_ids]
        if not tokens:
            return "It ends as no token at all."
        if len(tokens) == 1:
            return f"It ends inside the token {tokens[0]}."
        within = "across" if self.why.reason == "crossing" else "as"
        return f"It ends {within} {len(tokens):,} tokens: {_listed(tokens, ' + ', ' + ')}."

    def parted(self) -> str:
        which = "these two" if len(self.why.token_ids) == 2 else "any two of these neighbours"
        return f"No merge joins {which}."

    def token(self, token_id: int) -> str:
        return _quoted(self.tokenizer.token_bytes(token_id))

    def quoted(self, start: int, end: int) -> str:
        return _quoted(self.encoded[start:end])


def _merge(rank: int) -> str:
    return f"merge {rank + 1:,} (rank {rank:,})"


def _quoted(token: bytes) -> str:
    """A token in quotation marks, its writing direction isolated."""
    return f"“\u2068{visible(token)}\u2069”"


def _listed(names: list[str], last: str, between: str = ", ") -> str:
    if len(names) > MOST_NAMED:
        return f"{between.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED:,} more"
    return last.join([between.join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
