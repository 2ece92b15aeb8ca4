"""The tokenizers that one visitor picked and brought."""

from dataclasses import dataclass, field

from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["TokenizersState"]


@dataclass
class TokenizersState:
    """``picked``: the key of the tokenizer picked in each field that picks one; ``files``: the tokenizers
    from files, with their names, by key."""

    picked: dict[str, str] = field(default_factory=dict)
    files: dict[str, tuple[str, Tokenizer]] = field(default_factory=dict)
