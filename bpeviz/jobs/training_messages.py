"""What two processes say to each other about a training."""

from dataclasses import asdict
from typing import IO, Any

import numpy as np

from bpeviz.base_error import BpevizError
from bpeviz.corpus.corpus import Corpus
from bpeviz.processes.messages import Arrays, read_error, read_frame, write_error, write_frame
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.training.fork import Choice
from bpeviz.training.learned import Learned
from bpeviz.training.recipes import RECIPES, get_recipe
from bpeviz.training.text_training import TextTraining, TrainedText, TrainingProgress
from bpeviz.training.trainer import MergeStep

__all__ = ["Message", "read_message", "read_request", "write_message", "write_request"]

#: What the process that trains can say.
Message = TrainingProgress | TrainedText | BpevizError


def write_request(training: TextTraining, pipe: IO[bytes]) -> None:
    """Ask for a training. Raises ValueError for a recipe that is not one of those with a name."""
    recipe = get_recipe(training.recipe)
    if RECIPES.get(recipe.name) != recipe:
        raise ValueError(f"{recipe.name} is a recipe of one's own, which another process does not know")
    fields: dict[str, Any] = {
        "split": asdict(training.split),
        "recipe": recipe.name,
        "num_merges": training.num_merges,
        "min_frequency": training.min_frequency,
        "choices": [asdict(choice) for choice in training.choices],
    }
    if isinstance(training.source, Corpus):
        write_frame(pipe, "counts", {"source": dict(training.source.counts), **fields})
    else:
        write_frame(pipe, "text", {"source": training.source, **fields})


def read_request(pipe: IO[bytes]) -> TextTraining:
    """The training that is asked for."""
    kind, fields, _ = read_frame(pipe)
    split = SplitPattern(**fields.pop("split"))
    source = fields.pop("source")
    if kind == "counts":
        source = Corpus.from_counts(source, split)
    choices = tuple(Choice(c["rank"], _pair(c["pair"]), c["action"]) for c in fields.pop("choices"))
    return TextTraining(source, split=split, choices=choices, **fields)


def write_message(message: Message, pipe: IO[bytes]) -> None:
    """Say how far the training is, what came of it, or why nothing did."""
    match message:
        case TrainingProgress():
            write_frame(pipe, "progress", asdict(message))
        case BpevizError():
            write_error(message, pipe)
        case TrainedText(learned=learned):
            merges = [(left, right, token_id) for (left, right), token_id in learned.merges]
            figures = [(step.count, step.tied, step.token_total) for step in message.steps]
            arrays: Arrays = [
                np.array(merges, np.int32).ravel(),
                np.array(figures, np.int64).ravel(),
                learned.symbol_gap_ranks,
                message.pre_tokens,
            ]
            fields = {
                "recipe": learned.recipe.name,
                "split": asdict(learned.corpus.split),
                "counts": dict(learned.corpus.counts),
                "special_tokens": learned.special_tokens,
                "tokens": [token.hex() for token in learned.tokens],
                "stop_reason": message.stop_reason,
            }
            write_frame(pipe, "done", fields, arrays)


def read_message(pipe: IO[bytes]) -> Message:
    """What the process that trains says next."""
    kind, fields, arrays = read_frame(pipe)
    match kind:
        case "progress":
            return TrainingProgress(**fields)
        case "error":
            return read_error(fields)
        case "done":
            return _trained(fields, arrays)
    raise ValueError(f"no message of the kind {kind!r}")


def _trained(fields: dict[str, Any], arrays: Arrays) -> TrainedText:
    merged, figures, gap_ranks, pre_tokens = arrays
    merges = tuple(((left, right), token_id) for left, right, token_id in merged.reshape(-1, 3).tolist())
    tokens = tuple(map(bytes.fromhex, fields["tokens"]))
    corpus = Corpus.from_counts(fields["counts"], SplitPattern(**fields["split"]))
    recipe = get_recipe(fields["recipe"])
    special_tokens = tuple(fields["special_tokens"])
    base = recipe.base_vocabulary(corpus, special_tokens)
    steps = tuple(
        MergeStep(rank, pair, token_id, tokens[token_id], *row)
        for rank, ((pair, token_id), row) in enumerate(
            zip(merges, figures.reshape(-1, 3).tolist(), strict=True)
        )
    )
    learned = Learned(corpus, recipe, special_tokens, base, merges, tokens, gap_ranks)
    return TrainedText(learned, steps, fields["stop_reason"], pre_tokens)


def _pair(pair: list[int]) -> tuple[int, int]:
    left, right = pair
    return left, right
