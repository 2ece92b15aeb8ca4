"""The libraries that recipes reproduce, and what each of them can do.

This module imports no library. The worker does, in another process.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

__all__ = ["LIBRARIES", "Library"]


@dataclass(frozen=True)
class Library:
    """A library on PyPI: its ``name`` there, which is what pip installs.

    ``trainer``: the name of its trainer, for people; ``below``: the first version without it, if any;
    ``takes_min_frequency``: whether it can stop at rare pairs; ``takes_special_tokens``: whether it gives
    them ids; ``takes_max_token_length``: whether it can make only short tokens; ``most_texts``: how many
    texts it takes at once, None for any number; ``gives_ids``: whether its tokens have ids to compare;
    ``stops``: whether it makes no more merges when no pair is left.
    """

    name: str
    trainer: str
    below: str = ""
    takes_min_frequency: bool = False
    takes_special_tokens: bool = False
    takes_max_token_length: bool = False
    most_texts: int | None = None
    gives_ids: bool = True
    stops: bool = True

    @property
    def install(self) -> str:
        """The command that installs a version with the trainer."""
        return f'pip install "{self.name}<{self.below}"' if self.below else f"pip install {self.name}"


#: The library that each recipe reproduces, by the name of the recipe; the others have none on PyPI.
LIBRARIES: Mapping[str, Library] = MappingProxyType(
    {
        "huggingface": Library(
            "tokenizers",
            "BpeTrainer",
            below="1",
            takes_min_frequency=True,
            takes_special_tokens=True,
            takes_max_token_length=True,
        ),
        "rustbpe": Library("rustbpe", "Tokenizer.train_from_iterator"),
        "tiktoken-educational": Library("tiktoken", "_educational.bpe_train", most_texts=1),
        "subword-nmt": Library("subword-nmt", "learn_bpe", takes_min_frequency=True, gives_ids=False),
        # its ids are in another order; it fills up a vocabulary with pieces that occur nowhere
        "sentencepiece": Library(
            "sentencepiece",
            "SentencePieceTrainer, model_type bpe",
            takes_max_token_length=True,
            gives_ids=False,
            stops=False,
        ),
    }
)
