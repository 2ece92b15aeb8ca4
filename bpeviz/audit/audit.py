"""The audit of a vocabulary: which tokens are unreachable, unused, cut, too long, or there several times.

    found = audit_tokenizer(load_pretrained("gpt2"), "the cat sat on the mat")
    found.figures["unreachable"]  ->  13
    found.ids["unreachable"]      ->  their ids

docs/metrics.md defines each finding and names its source.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pandas as pd

from bpeviz.analysis.compare import not_a_tokenizer
from bpeviz.analysis.vocabulary import vocabulary_table
from bpeviz.analysis.word_changes import word_changes
from bpeviz.analysis.word_families import word_families, words_among
from bpeviz.audit.difference import VocabularyDifference, vocabulary_difference
from bpeviz.audit.reach import Reach
from bpeviz.audit.uses import Uses, uses_in
from bpeviz.cached import cached_property
from bpeviz.text.token_text import count_characters
from bpeviz.text.utf8 import check_text
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["FINDINGS", "LONGEST", "Finding", "VocabularyAudit", "audit_tokenizer"]

Numbers = npt.NDArray[np.int64]
_KINDS = ("base", "merged", "special", "whole", "unused")
#: The longest token that SentencePiece makes, unless max_sentencepiece_length says otherwise.
LONGEST = 16


@dataclass(frozen=True)
class Finding:
    """What tokens may have in common: a ``title`` for people, and what it ``means``."""

    title: str
    means: str
    #: Whether it takes a text to find them, or an earlier vocabulary.
    needs: str = ""


#: The findings by name, in the order in which they are shown.
FINDINGS: Mapping[str, Finding] = {
    "base": Finding("Base symbols", "No merge makes them: bytes or characters."),
    "merged": Finding("Made by merges", "A merge makes each of them from two others."),
    "special": Finding("Special", "The program adds them, or finds their text before all else."),
    "whole": Finding(
        "Only as a whole pre-token", "No merge makes them, and a pre-token that spells one becomes it."
    ),
    "unused": Finding(
        "Made by nothing", "The file lists them, but neither a merge nor a pre-token makes one."
    ),
    "unreachable": Finding(
        "Unreachable",
        "No text is ever encoded to them. This is proved: merging their own symbols gives something else, or "
        "their bytes are never in UTF-8.",
    ),
    "not-shown": Finding(
        "Reach not shown",
        "No proof, and none of some thousand texts around their bytes is encoded to them. The split pattern "
        "or the normalizer keeps them from most texts.",
    ),
    "cut": Finding("Cut by the split pattern", "Their text alone is more than one pre-token."),
    "cuts-a-character": Finding(
        "Cuts a character", "Their bytes begin or end inside a character. Many of them are reached."
    ),
    "variants": Finding(
        "Variants of a word", "The same word in several spellings: with a space or without, THE, The, the."
    ),
    "overlong": Finding("Overlong", f"More than {LONGEST} characters, the limit of SentencePiece’s trainer."),
    "spelled-specials": Finding(
        "Special, and ordinary too", "An ordinary token has the same text as this special token."
    ),
    "never-used": Finding(
        "Never used", "The text doesn’t have them, and they are no step on the way to its tokens.", "text"
    ),
    "on-the-way": Finding(
        "Only a step on the way",
        "Merges make them in this text, and always join them to more: LiteToken’s residue.",
        "text",
    ),
    "moved-ids": Finding("Moved ids", "Both vocabularies have the token, under different ids.", "against"),
    "added": Finding("Added", "The earlier vocabulary lacks them.", "against"),
    "removed": Finding("Removed", "Only the earlier vocabulary has them, under these ids.", "against"),
}


@dataclass(frozen=True, eq=False)
class VocabularyAudit:
    """What is found in a vocabulary of ``token_total`` tokens.

    - ``ids``: for each finding the ids of its tokens, those that matter most first;
    - ``families``: how many words have several spellings;
    - ``uses``: what a text uses; None without a text;
    - ``against``: the audit of the earlier vocabulary, and ``difference`` what changed since; None without
      one.
    """

    token_total: int
    ids: Mapping[str, Numbers] = field(repr=False)
    families: int
    uses: Uses | None = field(default=None, repr=False)
    against: "VocabularyAudit | None" = None
    difference: VocabularyDifference | None = field(default=None, repr=False)

    @cached_property
    def figures(self) -> dict[str, int]:
        """How many tokens each finding has, by its name in FINDINGS."""
        return {name: len(self.ids[name]) for name in FINDINGS if name in self.ids}


def _unheard(_step: str) -> None:
    """Hear what comes next, and do nothing."""


def audit_tokenizer(
    tokenizer: Tokenizer,
    text: str | None = None,
    *,
    against: Tokenizer | None = None,
    on_step: Callable[[str], object] = _unheard,
) -> VocabularyAudit:
    """Return what is found in a vocabulary; with a ``text``, also what that uses; with an earlier vocabulary
    ``against`` it, what changed since. ``on_step`` hears what comes next.

    >>> from bpeviz import load_pretrained
    >>> found = audit_tokenizer(load_pretrained("gpt2"), "the cat sat on the mat")
    >>> found.figures["unreachable"], found.figures["not-shown"], found.figures["cuts-a-character"]
    (13, 0, 344)

    Raises TokenizerError for another kind of tokenizer; what vocabulary_table and Tokenizer.encode raise.
    """
    for each in (tokenizer, against):
        if each is not None and not isinstance(each, Tokenizer):
            raise not_a_tokenizer("audit_tokenizer", each, wanted="a Tokenizer")
    if text is not None:
        check_text(text)
    found = _found(tokenizer, text, on_step)
    if against is None:
        return found
    earlier = _found(against, text, on_step)
    on_step("Comparing the vocabularies")
    words = None if text is None else word_changes([text], against, tokenizer)
    difference = vocabulary_difference(against, tokenizer, words)
    ids = {
        **found.ids,
        "moved-ids": difference.moved[:, 1],
        "added": difference.added,
        "removed": difference.removed,
    }
    return VocabularyAudit(found.token_total, ids, found.families, found.uses, earlier, difference)


def _found(tokenizer: Tokenizer, text: str | None, on_step: Callable[[str], object]) -> VocabularyAudit:
    """Return what is found in one vocabulary."""
    on_step("Reading the vocabulary")
    table = vocabulary_table(tokenizer)
    ids = {
        kind: _ids(table, table["kind"] == kind) for kind in ("base", "merged", "special", "whole", "unused")
    }
    ordinary = table[table["kind"] != "special"]
    on_step("Looking for texts with each token")
    shown = Reach(tokenizer).shown(ordinary["id"][~ordinary["unreachable"]].tolist())
    ids["unreachable"] = _ids(ordinary, ordinary["unreachable"])
    ids["not-shown"] = _ids(ordinary, ~ordinary["unreachable"] & ~ordinary["id"].isin(shown))
    ids["cut"] = _ids(ordinary, ordinary["cut"])
    ids["cuts-a-character"] = _ids(ordinary, ~ordinary["valid_utf8"])
    families = _families(tokenizer, ordinary)
    ids["variants"] = np.array([i for family in families for i in family], np.int64)
    ids["overlong"] = _overlong(tokenizer, ordinary)
    ids["spelled-specials"] = _spelled_specials(tokenizer, ordinary)
    if text is None:
        return VocabularyAudit(len(table), ids, len(families))
    on_step("Encoding the text")
    uses = uses_in(tokenizer, np.array(tokenizer.encode(text), np.int64))
    is_ordinary, missing = (table["kind"] != "special").to_numpy(), uses.final == 0
    ids["never-used"] = _ids(table, is_ordinary & missing & (uses.steps == 0))
    on_the_way = np.flatnonzero(is_ordinary & missing & (uses.steps > 0))
    most_first = on_the_way[np.argsort(-uses.steps[on_the_way], kind="stable")]
    ids["on-the-way"] = table["id"].to_numpy()[most_first]
    return VocabularyAudit(len(table), ids, len(families), uses)


def _ids(table: pd.DataFrame, chosen: "pd.Series[bool] | npt.NDArray[np.bool_]") -> Numbers:
    ids: Numbers = table["id"][np.asarray(chosen, np.bool_)].to_numpy(np.int64)
    return ids


def _families(tokenizer: Tokenizer, ordinary: pd.DataFrame) -> list[list[int]]:
    """Return the words in several spellings, those with most tokens first."""
    whole = ordinary[ordinary["valid_utf8"]]
    texts = {i: token.decode("utf-8") for i, token in zip(whole["id"].tolist(), whole["token"], strict=True)}
    families = word_families(words_among(texts, tokenizer.base.end_of_word))
    return sorted(families, key=lambda family: -len(family))


def _overlong(tokenizer: Tokenizer, ordinary: pd.DataFrame) -> Numbers:
    """Return the tokens of too many characters, the longest first. One that cuts a character has as many as
    begin in it."""
    lengths = np.array([count_characters(tokenizer.written(i)) for i in ordinary["id"].tolist()], np.int64)
    order = np.argsort(-lengths, kind="stable")
    ids: Numbers = ordinary["id"].to_numpy(np.int64)[order[lengths[order] > LONGEST]]
    return ids


def _spelled_specials(tokenizer: Tokenizer, ordinary: pd.DataFrame) -> Numbers:
    tokens = set(ordinary["token"])
    specials = tokenizer.special_tokens.items()
    return np.array([i for text, i in specials if text.encode("utf-8") in tokens], np.int64)
