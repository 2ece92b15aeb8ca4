"""Training in one call: the steps, or the tokenizer.

[step.token for step in train("aaabdaaabac", "minbpe-basic", num_merges=3)]  ->  [b"aa", b"aaa", b"aaab"]
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from bpeviz.corpus.corpus import Corpus
from bpeviz.errors import CorpusError
from bpeviz.text.special_tokens import listed_special_tokens
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.recipes import Recipe, get_recipe
from bpeviz.training.result import MergeStep
from bpeviz.training.trainer import Trainer

__all__ = ["train", "train_tokenizer"]


def train(
    text: str,
    recipe: str | Recipe = "huggingface",
    *,
    split: str | SplitPattern | None = None,
    vocab_size: int | None = None,
    num_merges: int | None = None,
    min_frequency: int | None = None,
    special_tokens: Sequence[str] | None = None,
    max_token_length: int | None = None,
) -> Iterator[MergeStep]:
    """Split ``text`` by the recipe's pattern (or ``split``) and train; yields each merge."""
    trainer = _trainer_for(
        [text],
        recipe,
        split,
        vocab_size=vocab_size,
        num_merges=num_merges,
        min_frequency=min_frequency,
        special_tokens=special_tokens,
        max_token_length=max_token_length,
    )
    return trainer.steps()


def train_tokenizer(
    texts: str | Iterable[str],
    recipe: str | Recipe = "huggingface",
    *,
    split: str | SplitPattern | None = None,
    vocab_size: int | None = None,
    num_merges: int | None = None,
    min_frequency: int | None = None,
    special_tokens: Sequence[str] | None = None,
    max_token_length: int | None = None,
) -> Tokenizer:
    """Return the tokenizer that a recipe learns from one text or several.

    The settings are those of train. Raises what Corpus.from_texts and Trainer raise.
    """
    if not isinstance(texts, Iterable):
        raise CorpusError(
            f"train_tokenizer takes a text or several, not {type(texts).__name__}. For a Corpus use Trainer."
        )
    trainer = _trainer_for(
        [texts] if isinstance(texts, str) else texts,
        recipe,
        split,
        vocab_size=vocab_size,
        num_merges=num_merges,
        min_frequency=min_frequency,
        special_tokens=special_tokens,
        max_token_length=max_token_length,
    )
    for _ in trainer.steps():
        pass
    return trainer.tokenizer()


def _trainer_for(
    texts: Iterable[str], recipe: str | Recipe, split: str | SplitPattern | None, **settings: Any
) -> Trainer:
    recipe = get_recipe(recipe)
    if settings["special_tokens"] is not None:  # read once: both the pattern and the trainer need them
        settings["special_tokens"] = listed_special_tokens(settings["special_tokens"])
    pattern = recipe.split_pattern(split, settings["special_tokens"])
    return Trainer(Corpus.from_texts(texts, pattern), recipe, **settings)
