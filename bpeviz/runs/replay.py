"""A run of a finished tokenizer: its merges on a text, in the order of their ranks.

GPT-2 has 50,000 merges, and a short text uses a few of them. Step k of the run is the text after the first k
of those: what the tokenizer would make of the text with no later merges.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bpeviz.corpus.corpus import Corpus
from bpeviz.errors import CorpusError
from bpeviz.runs.run import NamedText, Run, new_number
from bpeviz.text.pre_token_ends import pre_tokens
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.start import Start, spell_texts
from bpeviz.training.trainer import Trainer
from bpeviz.words import in_short

__all__ = ["replay"]


def replay(
    text: NamedText,
    tokenizer: Tokenizer,
    name: str,
    texts: Sequence[str] = (),
    *,
    recipe: str = "huggingface",
    new_merges: int = 0,
) -> Run:
    """Return the merges of a tokenizer on a text, as a run. ``name`` is the tokenizer's. If ``text`` is
    several ``texts`` with line ends between them, these are in no token. After its merges, so many
    ``new_merges`` are learned by ``recipe``.

    Tokens keep their ids. A step's ``count`` is how often its pair occurs in this text; ``tied`` is 1,
    because the tokenizer merges by rank, not by count. Raises CorpusError if it merges nothing in the text,
    and what Trainer raises for a tokenizer that it can't begin with.
    """
    apart = texts or (text.text,)
    corpus: Corpus
    if tokenizer.pipeline is not None:
        corpus, order = spell_texts(tokenizer, apart)
    else:
        corpus = Corpus.from_texts(apart, tokenizer.pre_token_split)
        index = {p: i for i, p in enumerate(corpus.pre_tokens)}
        order = np.array([index[p] for each in apart for p in pre_tokens(each, corpus.split)], np.int64)
    trainer = Trainer(corpus, recipe, start=tokenizer, num_merges=new_merges)
    if not any(trainer.steps()):
        raise CorpusError(f"{in_short(name)} merges nothing in this text. Give a longer text.")
    for _ in trainer.steps():
        pass
    result = replace(trainer.result(), pre_tokens=order)
    start = Start("", name, tokenizer)
    settings = TrainingSettings(recipe, num_merges=new_merges, min_frequency=1, start=start)
    return Run(new_number(), name, text, settings, result)
