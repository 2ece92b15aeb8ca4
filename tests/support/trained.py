"""What the tests in a browser compare the page with: a tokenizer trained on the same text."""

from bpeviz import Corpus, Tokenizer, Trainer

__all__ = ["LOW", "shown", "tokens", "trained"]

LOW = "low lower lowest slow slower slowest low lowlands " * 3


def trained(text: str = LOW, num_merges: int = 500) -> Trainer:
    """A trainer by the settings that the page begins with, at its end."""
    trainer = Trainer(Corpus.from_text(text), "huggingface", num_merges=num_merges, min_frequency=2)
    list(trainer.steps())
    return trainer


def tokens(tokenizer: Tokenizer, text: str = LOW) -> list[str]:
    """The tokens by the encoder, which knows nothing of the gap ranks that the page draws from."""
    return [tokenizer.token_bytes(i).decode() for i in tokenizer.encode(text)]


def shown(trainer: Trainer, pair: tuple[int, int]) -> str:
    """A pair as the page writes it."""
    left, right = (trainer.token_bytes(i).decode().replace(" ", "␣") for i in pair)
    return f"{left} + {right}"
