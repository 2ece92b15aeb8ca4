"""Metrics of one tokenizer on texts, for a table of several tokenizers.

    text      the cat in the hat          5 words, 18 bytes
    tokens    the| c|at| in| the| h|at    7 tokens: 2.57 bytes per token
    words     the | c·at | in | the | h·at   each alone: 7 tokens for 5 words, 3 of them whole

A word is what lies between white space (``str.split``), and is encoded alone, without the space before it.
Fertility, STRR and NSL are defined as in the package toklens 0.1.2, Rényi efficiency as in
tokenization-scorer 1.1.8; tests/parity/test_tokenizer_metrics.py compares the values.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
import numpy.typing as npt

from bpeviz.analysis.compare import not_a_tokenizer
from bpeviz.cached import cached_property
from bpeviz.core.gap_ranks import is_token_end
from bpeviz.errors import TokenizerError
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["RENYI_ALPHA", "Measured", "TokenizerMetrics", "tokenizer_metrics", "total_metrics"]

#: The order at which Rényi efficiency went best with translation quality (Zouhar et al. 2023).
RENYI_ALPHA = 2.5


@dataclass(frozen=True, eq=False)
class TokenizerMetrics:
    """What a tokenizer of ``vocab_size`` tokens makes of texts.

    - ``byte_total``: bytes of the texts in UTF-8;
    - ``token_total``: tokens of the texts, each text encoded whole;
    - ``word_total``: words of the texts, each as often as it occurs;
    - ``word_tokens``: tokens of all these words, each word encoded alone;
    - ``whole_words``: how many of these words are a single token when encoded alone;
    - ``used_ids``, ``used_counts``: the distinct token ids of the texts, ascending, and how often each
      occurs.
    """

    vocab_size: int
    byte_total: int
    token_total: int
    word_total: int
    word_tokens: int
    whole_words: int
    used_ids: npt.NDArray[np.int64] = field(repr=False)
    used_counts: npt.NDArray[np.int64] = field(repr=False)

    @property
    def bytes_per_token(self) -> float:
        """``byte_total / token_total``; 0 without tokens. toklens calls it the compression ratio."""
        return _ratio(self.byte_total, self.token_total)

    @property
    def tokens_per_word(self) -> float:
        """Fertility: ``word_tokens / word_total``; 0 without words.

        1 if every word is one token. Rust et al. 2021, "How Good is Your Tokenizer?"
        """
        return _ratio(self.word_tokens, self.word_total)

    @property
    def share_of_whole_words(self) -> float:
        """Single-token retention rate (STRR): ``whole_words / word_total``, 0 to 1; 0 without words.

        Nayeem et al. 2025, "Beyond Fertility: Analyzing STRR".
        """
        return _ratio(self.whole_words, self.word_total)

    def normalized_length(self, baseline: "TokenizerMetrics") -> float:
        """Return normalized sequence length (NSL): the tokens of this one over those of ``baseline`` on the
        same texts; 0 if the baseline has none.

        Below 1 if this tokenizer needs fewer. Dagan et al. 2024, "Getting the most out of your tokenizer".
        """
        return _ratio(self.token_total, baseline.token_total)

    @cached_property
    def renyi_efficiency(self) -> float:
        """Rényi efficiency of order 2.5: ``H / log2(n)``; NaN if ``n`` is below 2.

        ``n`` is how many distinct tokens occur, ``H = log2(sum(p ** 2.5)) / (1 - 2.5)`` the Rényi entropy of
        their shares ``p``. 1 if all occur equally often. Zouhar et al. 2023, "Tokenization and the Noiseless
        Channel"; like tokenization-scorer, ``n`` counts the tokens that occur, not the whole vocabulary.
        """
        if len(self.used_ids) < 2:
            return np.nan
        shares = self.used_counts / self.token_total
        entropy = np.log2(np.sum(shares**RENYI_ALPHA)) / (1 - RENYI_ALPHA)
        return float(entropy / np.log2(len(self.used_ids)))

    @property
    def share_of_vocabulary(self) -> float:
        """The distinct tokens of the texts over all tokens of the vocabulary, special tokens included."""
        return _ratio(len(self.used_ids), self.vocab_size)

    def figures(self, baseline: "TokenizerMetrics") -> dict[str, float]:
        """Return the row of this tokenizer in a table: each metric by its name; ``baseline`` is for the
        NSL."""
        return {
            "vocab_size": self.vocab_size,
            "tokens": self.token_total,
            "bytes_per_token": self.bytes_per_token,
            "tokens_per_word": self.tokens_per_word,
            "share_of_whole_words": self.share_of_whole_words,
            "normalized_length": self.normalized_length(baseline),
            "renyi_efficiency": self.renyi_efficiency,
            "share_of_vocabulary": self.share_of_vocabulary,
        }


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def tokenizer_metrics(texts: Iterable[str], tokenizer: Tokenizer) -> TokenizerMetrics:
    """Return the metrics of ``tokenizer`` on all ``texts`` together, with special tokens as plain text.

    Raises TokenizerError for a single text or another kind of tokenizer; what Tokenizer.encode raises.
    """
    if isinstance(texts, str) or not isinstance(texts, Iterable):
        raise TokenizerError("tokenizer_metrics takes a list of texts, and got a single one. Give [text].")
    if not isinstance(tokenizer, Tokenizer):
        raise not_a_tokenizer("tokenizer_metrics", tokenizer, wanted="a Tokenizer")
    tokens: Counter[int] = Counter()
    words: Counter[str] = Counter()
    byte_total = 0
    for text in texts:
        tokens.update(tokenizer.encode(text))
        words.update(text.split())
        byte_total += len(text.encode("utf-8"))
    lengths = _word_lengths(list(words), tokenizer)
    often = np.array(list(words.values()), np.int64)
    used_ids, used_counts = np.array(sorted(tokens.items()), np.int64).reshape(-1, 2).T
    return TokenizerMetrics(
        vocab_size=len(tokenizer),
        byte_total=byte_total,
        token_total=tokens.total(),
        word_total=words.total(),
        word_tokens=int(lengths @ often),
        whole_words=int(often[lengths == 1].sum()),
        used_ids=used_ids,
        used_counts=used_counts,
    )


def _word_lengths(words: Sequence[str], tokenizer: Tokenizer) -> npt.NDArray[np.int64]:
    """How many tokens each word has, encoded alone."""
    if tokenizer.pipeline is not None:  # a library cuts the text, not the split pattern
        lengths = {word: len(tokenizer.encode(word)) for word in dict.fromkeys(words)}
        return np.array([lengths[word] for word in words], np.int64)
    # A word's tokens are those of its pre-tokens. One pass over these takes a tenth of a call for each word.
    split = [tokenizer.pre_token_split.split(word) for word in words]
    pre_tokens = [p for p in dict.fromkeys(chain.from_iterable(split)) if p not in tokenizer.found_always]
    gap_ranks = tokenizer.gap_ranks_of(pre_tokens, np.arange(len(pre_tokens)))
    ends = np.r_[0, np.cumsum(is_token_end(gap_ranks, len(tokenizer.merges)), dtype=np.int64)]
    bounds = np.cumsum([0, *(len(p.encode("utf-8")) for p in pre_tokens)])
    total_of = dict(zip(pre_tokens, np.diff(ends[bounds]).tolist(), strict=True))
    total_of |= dict.fromkeys(tokenizer.found_always, 1)
    return np.array([sum(map(total_of.__getitem__, parts)) for parts in split], np.int64)


def total_metrics(parts: Iterable[TokenizerMetrics]) -> TokenizerMetrics:
    """Return the metrics of one tokenizer on several texts together, from those on each; there is at least
    one."""
    each = list(parts)
    ids = np.concatenate([part.used_ids for part in each])
    used_ids, places = np.unique(ids, return_inverse=True)
    used_counts = np.zeros(len(used_ids), np.int64)
    np.add.at(used_counts, places, np.concatenate([part.used_counts for part in each]))
    return TokenizerMetrics(
        vocab_size=each[0].vocab_size,
        byte_total=sum(part.byte_total for part in each),
        token_total=sum(part.token_total for part in each),
        word_total=sum(part.word_total for part in each),
        word_tokens=sum(part.word_tokens for part in each),
        whole_words=sum(part.whole_words for part in each),
        used_ids=used_ids,
        used_counts=used_counts,
    )


@dataclass(frozen=True, eq=False)
class Measured:
    """A tokenizer by ``name``, and its metrics on each of several texts; a sentence that says why in place of
    those of a text that it can't encode.

    tokens of two texts   mine   10, none    GPT-2   5, 4
    against GPT-2         mine    2, none    GPT-2   1, 1
    """

    name: str
    texts: tuple[TokenizerMetrics | str, ...]

    @cached_property
    def total(self) -> TokenizerMetrics | None:
        """The metrics on all texts together; None if one can't be encoded."""
        known = [text for text in self.texts if not isinstance(text, str)]
        return total_metrics(known) if len(known) == len(self.texts) else None

    @property
    def note(self) -> str:
        """Why a text can't be encoded; empty if all can."""
        return next((text for text in self.texts if isinstance(text, str)), "")

    @property
    def tokens(self) -> tuple[int | None, ...]:
        """The tokens of each text."""
        return tuple(None if isinstance(text, str) else text.token_total for text in self.texts)

    def ratios(self, baseline: "Measured") -> tuple[float | None, ...]:
        """Return the tokens of each text over those of ``baseline``; None where either has none."""
        both = zip(self.tokens, baseline.tokens, strict=True)
        return tuple(mine / other if mine and other else None for mine, other in both)

    def figures(self, baseline: "Measured") -> dict[str, float]:
        """Return TokenizerMetrics.figures on all texts together: nothing if one can't be encoded, and no NSL
        if the ``baseline`` can't."""
        if self.total is None:
            return {}
        figures = self.total.figures(baseline.total or self.total)
        return {name: of for name, of in figures.items() if baseline.total or name != "normalized_length"}
