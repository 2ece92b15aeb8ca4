"""Texts: a corpus as a trainer's rules cut it, in base symbols. The first hook of the reference trainer."""

from collections.abc import Mapping, Sequence

from bpeviz.core.base_vocabulary import BaseVocabulary, ByteVocabulary, CharacterVocabulary
from bpeviz.corpus.corpus import Corpus, UncutCorpus
from bpeviz.merge_check.reference import ReferenceTrainer, Rules, Start, Word, every_pair
from bpeviz.merge_check.ties import Pair

__all__ = ["Texts"]


class Texts:
    """A corpus to train on by different rules. A corpus that a pattern has cut already can't be cut by
    another: ``cut`` says so."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.cut = not isinstance(corpus, UncutCorpus)
        #: The texts, if they are at hand.
        self.texts: Sequence[str] = ()
        if isinstance(corpus, UncutCorpus) and corpus.texts is not None:
            self.texts = tuple(corpus.texts)
        self._starts: dict[object, Start] = {}

    def trainer(self, rules: Rules) -> ReferenceTrainer:
        """Return a trainer before its first merge. Raises CorpusError, SplitPatternError."""
        return ReferenceTrainer(self._start(rules), rules)

    def pre_tokens(self, rules: Rules) -> Mapping[str, int]:
        """Return the pre-tokens as the rules count them. Raises CorpusError, SplitPatternError."""
        corpus = self.corpus
        if rules.read is not None and self.texts:
            corpus = Corpus.from_texts(list(rules.read(self.texts)))
        counts = corpus.cut_by(rules.split).counts
        special = () if rules.merges_special else rules.split.special_tokens
        if not counts.keys().isdisjoint(special):
            counts = {pre_token: times for pre_token, times in counts.items() if pre_token not in special}
        return counts if rules.keep is None else rules.keep(counts)

    def _start(self, rules: Rules) -> Start:
        """Return the words before the first merge. Only the rule's own and the last one stay in memory:
        variations that need the same words come one after the other."""
        recipe = rules.recipe
        key = (
            *(recipe.base, recipe.special_tokens_at, recipe.cuts_at_special_tokens, rules.special_tokens),
            *(rules.split, rules.read, rules.keep, rules.merges_special, rules.symbols),
        )
        if key not in self._starts:
            for other in [*self._starts][1:]:
                del self._starts[other]
            self._starts[key] = _spelled(self.pre_tokens(rules), rules)
        return self._starts[key]


def _spelled(pre_tokens: Mapping[str, int], rules: Rules) -> Start:
    corpus = Corpus(pre_tokens, rules.split)
    base, tokens = _base(corpus, rules)
    spelling = base.spell(corpus.pre_tokens)
    text, words, end = "".join(map(chr, spelling.ids.tolist())), list[Word](), 0
    for length in spelling.lengths.tolist():
        words.append(text[end : end + length])
        end += length
    times = list(corpus.counts.values())
    where: dict[Pair, list[int]] = {}
    counts: dict[Pair, int] = {}
    for number, word in enumerate(words):
        for pair in every_pair(word):
            counts[pair] = counts.get(pair, 0) + times[number]
            numbers = where.setdefault(pair, [])
            if not numbers or numbers[-1] != number:
                numbers.append(number)
    return Start(words, times, list(tokens), where, counts)


def _base(corpus: Corpus, rules: Rules) -> tuple[BaseVocabulary, Sequence[bytes]]:
    if rules.symbols == "recipe":
        base = rules.recipe.base_vocabulary(corpus, rules.special_tokens)
        return base, rules.recipe.first_tokens(base, rules.special_tokens)
    if rules.symbols == "bytes":
        byte_base = ByteVocabulary(bytes(range(256)))
        return byte_base, byte_base.symbols
    characters = sorted({character for pre_token in corpus.counts for character in pre_token})
    character_base = CharacterVocabulary({character: i for i, character in enumerate(characters)})
    return character_base, character_base.symbols
