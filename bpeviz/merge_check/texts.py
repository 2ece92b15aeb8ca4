"""Texts: a corpus as a trainer's rules cut it, in base symbols. The first hook of the reference trainer."""

from collections.abc import Mapping, Sequence

from bpeviz.core.base_vocabulary import BaseVocabulary, CharacterVocabulary
from bpeviz.corpus.corpus import Corpus, UncutCorpus
from bpeviz.merge_check.reference import ReferenceTrainer, Rules, Word

__all__ = ["Texts"]

#: The words before the first merge, how often each occurs, and the tokens by id.
_Start = tuple[Sequence[Word], Sequence[int], Sequence[bytes]]


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
        self._starts: dict[object, _Start] = {}

    def trainer(self, rules: Rules) -> ReferenceTrainer:
        """Return a trainer before its first merge. Raises CorpusError, SplitPatternError."""
        recipe = rules.recipe
        key = (
            *(recipe.base, recipe.special_tokens_at, recipe.cuts_at_special_tokens, rules.special_tokens),
            *(rules.split, rules.read, rules.keep, rules.merges_special, rules.characters),
        )
        if key not in self._starts:
            # only the rule's own and the last one stay in memory: the table has those with the same words
            # one after the other
            for other in [*self._starts][1:]:
                del self._starts[other]
            self._starts[key] = _start(Corpus(self._pre_tokens(rules), rules.split), rules)
        return ReferenceTrainer(rules, *self._starts[key])

    def _pre_tokens(self, rules: Rules) -> Mapping[str, int]:
        """Return the pre-tokens as the rules count them. Raises CorpusError, SplitPatternError."""
        corpus = self.corpus
        if rules.read is not None and self.texts:
            corpus = Corpus.from_texts(list(rules.read(self.texts)))
        counts = corpus.cut_by(rules.split).counts
        if not rules.merges_special:
            special = rules.split.special_tokens
            counts = {pre_token: times for pre_token, times in counts.items() if pre_token not in special}
        return counts if rules.keep is None else rules.keep(counts)


def _start(corpus: Corpus, rules: Rules) -> _Start:
    """Return the words of a corpus before the first merge."""
    base, tokens = _base(corpus, rules)
    spelling = base.spell(corpus.pre_tokens)
    text, words, end = "".join(map(chr, spelling.ids.tolist())), list[Word](), 0
    for length in spelling.lengths.tolist():
        words.append(text[end : end + length])
        end += length
    return words, list(corpus.counts.values()), tokens


def _base(corpus: Corpus, rules: Rules) -> tuple[BaseVocabulary, Sequence[bytes]]:
    if not rules.characters:
        base = rules.recipe.base_vocabulary(corpus, rules.special_tokens)
        return base, rules.recipe.first_tokens(base, rules.special_tokens)
    characters = sorted({character for pre_token in corpus.counts for character in pre_token})
    plain = CharacterVocabulary({character: i for i, character in enumerate(characters)})
    return plain, plain.symbols
