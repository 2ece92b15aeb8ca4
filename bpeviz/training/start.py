"""A training that begins with a finished tokenizer: its merges come first, by rank.

    Trainer(Corpus.from_text(text), start=load_pretrained("gpt2"), num_merges=300)

The tokenizer says how the text is split and spelled, because its merges fit nothing else. What its library
never merges is a pre-token: added tokens that aren't special, and user-defined pieces of a SentencePiece
model. A merge of it is made when its pair occurs and no pair of a lower rank does. That is the order in which
the tokenizer encodes each pre-token, so without new merges the text ends in the tokens that it encodes the
text to.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, pairwise

import numpy as np
import numpy.typing as npt

from bpeviz.core.base_vocabulary import BaseVocabulary, ListedVocabulary
from bpeviz.core.spelled_vocabulary import SpelledVocabulary
from bpeviz.corpus.corpus import Corpus, UncutCorpus
from bpeviz.corpus.special_tokens import uncut_special_token
from bpeviz.errors import TrainingSettingsError
from bpeviz.pipelines import running
from bpeviz.pipelines.pipeline import Pipeline
from bpeviz.tokenizer.symbol_merger import pieces
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.words import in_short

__all__ = ["SpelledCorpus", "Start", "begin_with", "byte_ids", "spell_texts", "tokens_of"]


@dataclass(frozen=True)
class Start:
    """A finished tokenizer that a training begins with. A session knows it by its ``key``, people by its
    ``name``."""

    key: str
    name: str = field(compare=False)
    tokenizer: Tokenizer = field(compare=False, repr=False)


@dataclass(frozen=True, repr=False)
class SpelledCorpus(Corpus):
    """A corpus whose pre-tokens the library of a tokenizer has cut, and the ``base`` that spells them."""

    base: SpelledVocabulary

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (dict(self.counts), self.split, self.base)


def begin_with(tokenizer: Tokenizer, corpus: Corpus) -> tuple[Corpus, BaseVocabulary]:
    """Return the corpus as ``tokenizer`` cuts it, and the base vocabulary that spells it.

    Raises TrainingSettingsError for a corpus that another pattern has cut, and for files if a library
    prepares the text.
    """
    if not isinstance(tokenizer, Tokenizer):
        raise TrainingSettingsError(
            f"start is a {type(tokenizer).__name__}. Give a Tokenizer: load_pretrained(…), Tokenizer.load(…)."
        )
    if isinstance(corpus, SpelledCorpus):
        return corpus, corpus.base
    if tokenizer.pipeline is not None:
        if not isinstance(corpus, UncutCorpus) or corpus.texts is None:
            raise TrainingSettingsError(
                f"{tokenizer.pipeline.library} prepares texts for this tokenizer, so it can't begin with "
                "counts or files. Give the texts: Corpus.from_texts(texts)."
            )
        spelled, _ = spell_texts(tokenizer, corpus.texts)
        return spelled, spelled.base
    cut = corpus.cut_by(tokenizer.pre_token_split)
    if cut.split.of_whole_texts.between_special_tokens != tokenizer.split:
        raise TrainingSettingsError(
            f"This corpus was split by the pattern {in_short(cut.split.name)}, and the tokenizer splits by "
            f"{in_short(tokenizer.split.name)}. Give the corpus unsplit: Corpus.from_text(text)."
        )
    if (uncut := uncut_special_token(cut, tuple(tokenizer.found_always))) is not None:
        raise TrainingSettingsError(
            f"The tokenizer finds {in_short(repr(uncut))} in every text, and this corpus may hold it without "
            "a cut. Give the corpus unsplit: Corpus.from_text(text)."
        )
    return cut, _with_wholes(tokenizer, cut)


def _with_wholes(tokenizer: Tokenizer, corpus: Corpus) -> BaseVocabulary:
    """Return the base that spells pre-tokens as one symbol which the tokenizer takes whole."""
    whole = tokenizer.whole_pre_tokens
    here = {p: (whole[p],) for p in corpus.pre_tokens if p in whole} if whole else {}
    if not here:
        return tokenizer.base
    return SpelledVocabulary(tokenizer.base, here, {i: tokenizer.token_bytes(i) for (i,) in here.values()})


def spell_texts(tokenizer: Tokenizer, texts: Iterable[str]) -> tuple[SpelledCorpus, npt.NDArray[np.int64]]:
    """Return the corpus of texts as the library of a tokenizer spells them, and their pre-tokens in order, as
    indices in the corpus.

    The library may change the texts: "Hello" is " Hello" for most SentencePiece models. Raises PipelineError,
    TrainingSettingsError.
    """
    if tokenizer.pipeline is None:
        raise ValueError("no library spells texts for this tokenizer")
    base_ids = set(tokenizer.base.symbol_ids)
    spelled: dict[str, tuple[int, ...]] = {}
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    order = list[int]()
    for part in (part for text in texts for part in _pre_tokens(tokenizer, tokenizer.pipeline, text)):
        read = _read(tokenizer, part)
        if spelled.setdefault(read, part) != part:
            raise TrainingSettingsError(
                f"The library of this tokenizer spells {in_short(repr(read))} in two ways, so no training "
                "can begin with it on this text."
            )
        order.append(numbers[read])
    indices = np.array(order, np.int64)
    counts = np.bincount(indices, minlength=len(numbers)).tolist()
    others = {i for part in spelled.values() for i in part} - base_ids
    base = SpelledVocabulary(tokenizer.base, spelled, {i: tokenizer.token_bytes(i) for i in others})
    return SpelledCorpus(dict(zip(numbers, counts, strict=True)), tokenizer.split, base), indices


def _pre_tokens(tokenizer: Tokenizer, pipeline: Pipeline, text: str) -> Iterator[tuple[int, ...]]:
    """Yield the ids of the symbols of each pre-token; one that is taken whole is one symbol."""
    found = running.spell(pipeline, text, tokenizer.found_always)
    wholes = found.wholes.tolist()
    for place, ids in enumerate(pieces(found.spelling)):
        if place < len(wholes) and wholes[place] >= 0:
            yield (wholes[place],)
        else:
            yield from _cut_where_nothing_merges(tokenizer, ids)


def _read(tokenizer: Tokenizer, symbols: Sequence[int]) -> str:
    """Return the text of a pre-token's symbols."""
    if any(i < 0 for i in symbols):
        raise TrainingSettingsError(
            "This tokenizer leaves out some characters of the text. Take them out, or choose another one."
        )
    try:
        return b"".join(map(tokenizer.token_bytes, symbols)).decode("utf-8")
    except UnicodeDecodeError:
        raise TrainingSettingsError(
            "The library of this tokenizer cuts inside a character, so no training can begin with it on "
            "this text. Choose another tokenizer."
        ) from None


def _cut_where_nothing_merges(tokenizer: Tokenizer, symbols: list[int]) -> list[tuple[int, ...]]:
    """Cut before each space, around the bytes of each character that the file lacks, and around each symbol
    that the library never merges, unless a merge joins the symbols there.

    SentencePiece splits texts so when it trains, and not when it encodes, because no merge crosses these
    places. Without the cuts, "e" and the space of the next word would be a pair.
    """
    space, single = tokenizer.token_to_id(b" "), byte_ids(tokenizer)
    alone = tokenizer.base.unmerged_ids if isinstance(tokenizer.base, ListedVocabulary) else frozenset()
    cuts = [
        place
        for place, (left, right) in enumerate(pairwise(symbols), 1)
        if (right == space or _is_around_a_character(tokenizer, single, left, right) or alone & {left, right})
        and not tokenizer.holds_neighbours(left, right)
    ]
    if not symbols:
        return []
    return [tuple(symbols[start:end]) for start, end in zip([0, *cuts], [*cuts, len(symbols)], strict=True)]


def _is_around_a_character(tokenizer: Tokenizer, single: frozenset[int], left: int, right: int) -> bool:
    """Return whether a character begins or ends between two symbols of which one is a byte."""
    if left in single and right in single:
        return not 0x80 <= tokenizer.token_bytes(right)[0] < 0xC0
    return left in single or right in single


def byte_ids(tokenizer: Tokenizer) -> frozenset[int]:
    """Return the ids of the symbols that are bytes of characters which the file lacks. Its library merges
    none of them."""
    return tokenizer.base.byte_ids if isinstance(tokenizer.base, ListedVocabulary) else frozenset()


def tokens_of(tokenizer: Tokenizer) -> list[bytes]:
    """Return the bytes of each token, by id; those of ids without a token are empty."""
    tokens = [b""] * tokenizer.n_vocab
    for token_id, token in tokenizer.vocabulary.items():
        tokens[token_id] = token
    return tokens
