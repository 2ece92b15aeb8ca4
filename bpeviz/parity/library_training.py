"""Training in the real libraries, as a task for a worker: they may crash, print, or take long."""

import ast
import contextlib
import importlib.metadata
import io
import itertools
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.formats.mergeable_ranks import from_mergeable_ranks, halves
from bpeviz.workers.task import OnEvent, Task

if TYPE_CHECKING:
    from sentencepiece import SentencePieceProcessor

__all__ = ["TRAIN", "LibraryTrainings", "Missing", "NotTrained", "Trained", "TrainedAll", "Training"]

_BYTE_OF_CHARACTER = {character: byte for byte, character in enumerate(GPT2_BYTE_CHARACTERS)}


class Training(msgspec.Struct, frozen=True):
    """What to train: ``texts``, each as often as ``counts`` says, or once, cut by a regular expression."""

    texts: list[str]
    counts: list[int] | None
    num_merges: int
    min_frequency: int
    special_tokens: list[str]
    max_token_length: int | None
    split: str


class LibraryTrainings(msgspec.Struct, frozen=True):
    """Trainings in one library."""

    library: str
    trainings: list[Training]


class Trained(msgspec.Struct, frozen=True, tag="trained"):
    """The merges of a library by rank, as the bytes of both halves, and its tokens by id if it has ids."""

    merges: list[tuple[bytes, bytes]]
    tokens: list[bytes] | None


class NotTrained(msgspec.Struct, frozen=True, tag="not trained"):
    """The words of the error that a library raised."""

    words: str


class TrainedAll(msgspec.Struct, frozen=True, tag="all"):
    """The version of the library, and what came out of each training."""

    version: str
    results: list[Trained | NotTrained]


class Missing(msgspec.Struct, frozen=True, tag="missing"):
    """The library is not installed, or its ``version`` has no trainer."""

    version: str | None = None


def _work(request: LibraryTrainings, _tell: OnEvent) -> TrainedAll | Missing:
    try:
        version = importlib.metadata.version(request.library)
        train = _TRAINERS[request.library]
        return TrainedAll(version, [_try_training(train, training) for training in request.trainings])
    except ModuleNotFoundError:
        return Missing()
    except ImportError:  # it lacks what we import from it
        return Missing(version)


TRAIN = Task(
    "bpeviz.parity.library_training:TRAIN", LibraryTrainings, TrainedAll | Missing, _work, kind="long"
)


def _try_training(train: Callable[[Training], Trained], training: Training) -> Trained | NotTrained:
    try:
        return train(training)
    except ImportError:
        raise
    except BaseException as error:  # a panic of a library in Rust is not an Exception
        return NotTrained(f"{type(error).__name__}: {error}")


def _texts(training: Training) -> Iterator[str]:
    """Each text as often as it counts."""
    counts = training.counts or itertools.repeat(1)
    for text, count in zip(training.texts, counts, strict=False):
        yield from itertools.repeat(text, count)


def _with_tokenizers(training: Training) -> Trained:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=256 + len(training.special_tokens) + training.num_merges,
        min_frequency=training.min_frequency,
        special_tokens=training.special_tokens,
        max_token_length=training.max_token_length,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_texts(training), trainer)
    model = json.loads(tokenizer.to_str())["model"]
    special = set(training.special_tokens)
    tokens = sorted(model["vocab"], key=model["vocab"].__getitem__)
    return Trained(
        [(_bytes_of(left), _bytes_of(right)) for left, right in model["merges"]],
        [token.encode() if token in special else _bytes_of(token) for token in tokens],
    )


def _bytes_of(token: str) -> bytes:
    return bytes(_BYTE_OF_CHARACTER[character] for character in token)


def _with_rustbpe(training: Training) -> Trained:
    """Return the merges of rustbpe. It gives tokens by rank; the two halves of a token follow from the ranks
    below it."""
    import rustbpe

    tokenizer = rustbpe.Tokenizer()
    tokenizer.train_from_iterator(_texts(training), vocab_size=256 + training.num_merges)
    ranks = {bytes(token): rank for token, rank in tokenizer.get_mergeable_ranks()}
    tokens = sorted(ranks, key=ranks.__getitem__)
    _, merges, _ = from_mergeable_ranks(ranks)
    return Trained([(tokens[pair[0]], tokens[pair[1]]) for pair, _ in merges if pair], tokens)


def _with_tiktoken(training: Training) -> Trained:
    """Return the merges of tiktoken. It prints each pair that it merges, and fails when none is left: what it
    printed until then counts."""
    from tiktoken._educational import bpe_train

    (text,) = _texts(training)
    said = io.StringIO()
    with contextlib.redirect_stdout(said), _ended_when_no_pair_is_left():
        bpe_train(text, 256 + training.num_merges, training.split, visualise="pairs")
    start = "The current most common pair is "
    pairs = [line.removeprefix(start) for line in said.getvalue().split("\n") if line.startswith(start)]
    merges = [_literal_pair(pair) for pair in pairs]
    return Trained(merges, [*(bytes([b]) for b in range(256)), *(left + right for left, right in merges)])


@contextlib.contextmanager
def _ended_when_no_pair_is_left() -> Iterator[None]:
    """Ignore the error of two trainers when no pair is left: they call max() on no pairs."""
    try:
        yield
    except ValueError as error:
        if not str(error).startswith("max()"):
            raise


def _literal_pair(said: str) -> tuple[bytes, bytes]:
    """Return the pair in what it printed: b'a' + b'b'."""
    node = ast.parse(said, mode="eval").body
    if not isinstance(node, ast.BinOp):
        raise ValueError(f"no pair: {said}")
    return ast.literal_eval(node.left), ast.literal_eval(node.right)


def _with_subword_nmt(training: Training) -> Trained:
    from subword_nmt.learn_bpe import learn_bpe

    learned = io.StringIO()
    as_file = io.StringIO("\n".join(_texts(training)), newline=None)
    with _ended_when_no_pair_is_left():
        learn_bpe(as_file, learned, training.num_merges, training.min_frequency)
    _, *lines = learned.getvalue().removesuffix("\n").split("\n")
    pairs = (line.split(" ") for line in lines)
    return Trained([(left.encode(), right.encode()) for left, right in pairs], None)


def _with_sentencepiece(training: Training) -> Trained:
    """Return the merges of SentencePiece. It gives pieces by rank, then single characters; halves as for
    rustbpe."""
    text = "\n".join(_texts(training))
    if not text.strip("\n\x00\x1f"):  # it refuses to train on nothing
        return Trained([], None)
    processor = _sentencepiece_of(text, training.num_merges, training.max_token_length)
    special = processor.is_control, processor.is_unknown
    ids = [i for i in range(len(processor)) if not any(is_one(i) for is_one in special)]
    pieces = map(processor.id_to_piece, ids)
    made = [piece for piece in pieces if len(piece) > 1][: training.num_merges]
    ranks = {piece: rank for rank, piece in enumerate(made)}
    return Trained([_bytes_of_halves(piece, ranks) for piece in made], None)


#: Unchanged text, not cut at special tokens: the one that it requires is named after a reserved character.
_SENTENCEPIECE_SETTINGS: Mapping[str, Any] = {
    "normalization_rule_name": "identity",
    "add_dummy_prefix": False,
    "remove_extra_whitespaces": False,
    "character_coverage": 1.0,
    "split_by_unicode_script": False,
    "split_by_number": False,
    "max_sentence_length": 2**30,
    "unk_piece": "▅",
    "bos_id": -1,
    "eos_id": -1,
    "minloglevel": 2,
}


def _sentencepiece_of(text: str, num_merges: int, longest: int | None = 16) -> "SentencePieceProcessor":
    from sentencepiece import SentencePieceProcessor, SentencePieceTrainer

    model = io.BytesIO()
    with tempfile.NamedTemporaryFile() as corpus:
        corpus.write(text.encode())
        corpus.flush()
        SentencePieceTrainer.train(
            input=corpus.name,
            model_writer=model,
            model_type="bpe",
            # enough for every character and special token; if there are fewer, it makes more merges
            vocab_size=len({*text, "▁"}) + 3 + num_merges,
            hard_vocab_limit=False,
            max_sentencepiece_length=longest,
            **_SENTENCEPIECE_SETTINGS,
        )
    return SentencePieceProcessor(model_proto=model.getvalue())


def _bytes_of_halves(piece: str, ranks: Mapping[str, int]) -> tuple[bytes, bytes]:
    two = halves(piece, ranks)
    if two is None:
        raise ValueError(f"no two pieces make {piece}")
    left, right = (half.replace("▁", " ").encode() for half in two)
    return left, right


_TRAINERS: Mapping[str, Callable[[Training], Trained]] = {
    "tokenizers": _with_tokenizers,
    "rustbpe": _with_rustbpe,
    "tiktoken": _with_tiktoken,
    "subword-nmt": _with_subword_nmt,
    "sentencepiece": _with_sentencepiece,
}
