"""The methods ``player`` of trainers, histories, tokenizers and comparisons; rows of tokens for notebooks.

They import what they need when they are called: it takes longer to import than all that trains and encodes.
"""

from typing import TYPE_CHECKING, Any

from bpeviz.analysis.compare import Comparison
from bpeviz.playable import PlayerFigure
from bpeviz.tokenizer.encoded_text import EncodedText
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.history import MergeHistory
from bpeviz.training.trainer import Trainer

if TYPE_CHECKING:
    from bpeviz.training.result import TrainingResult

__all__ = ["Figures"]


class Figures:
    """Makes the players behind the methods."""

    def of_trainer(self, trainer: Trainer, text: str | None, options: dict[str, Any]) -> PlayerFigure:
        if not trainer.merges:
            for _ in trainer.steps():
                pass
        return _of_result(trainer.result(), text, options)

    def of_history(self, history: MergeHistory, text: str | None, options: dict[str, Any]) -> PlayerFigure:
        from bpeviz.errors import PlayerError
        from bpeviz.training.result import TrainingResult

        if not isinstance(history.result, TrainingResult):
            raise PlayerError("This history doesn't come from a trainer. Use Trainer.player, or train.")
        return _of_result(history.result, text, options)

    def of_tokenizer(self, tokenizer: Tokenizer, text: str, options: dict[str, Any]) -> PlayerFigure:
        from bpeviz.figures.making import player_of_tokenizer

        return player_of_tokenizer(tokenizer, text, **options)

    def of_comparison(self, comparison: Comparison, options: dict[str, Any]) -> PlayerFigure:
        from bpeviz.figures.making import player_of_comparison

        return player_of_comparison(comparison, **options)

    def tokens_of_text(self, encoded: EncodedText) -> str | None:
        from bpeviz.figures.token_rows import row_of, tokens_html

        return encoded.token_bytes and tokens_html([row_of(encoded.ids, encoded.token_bytes)])

    def tokens_of_comparison(self, comparison: Comparison) -> str | None:
        from bpeviz.figures.token_rows import rows_of_comparison, tokens_html

        return None if comparison.compared is None else tokens_html(rows_of_comparison(comparison))


def _of_result(result: "TrainingResult", text: str | None, options: dict[str, Any]) -> PlayerFigure:
    from bpeviz.figures.making import player_of_result

    return player_of_result(result, text, **options)


Trainer.figures = MergeHistory.figures = Tokenizer.figures = Figures()
EncodedText.figures = Comparison.figures = Tokenizer.figures
