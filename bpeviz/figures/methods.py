"""The methods ``player`` of trainers, histories, tokenizers and comparisons.

They import what they need when they are called: it takes longer to import than all that trains and encodes.
"""

from typing import TYPE_CHECKING, Any

from bpeviz.analysis.compare import Comparison
from bpeviz.playable import PlayerFigure
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


def _of_result(result: "TrainingResult", text: str | None, options: dict[str, Any]) -> PlayerFigure:
    from bpeviz.figures.making import player_of_result

    return player_of_result(result, text, **options)


Trainer.figures = MergeHistory.figures = Tokenizer.figures = Comparison.figures = Figures()
