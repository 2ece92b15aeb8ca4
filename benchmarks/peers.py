"""One training, in this process: ``python -m benchmarks.peers TRAINER FOLDER MERGES``.

Prints one JSON object: the seconds of each phase, reading files included, and the SHA-256 of the tokens in
the order of their merges, which shows whether trainers agree.
"""

import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

#: What a trainer returns: the seconds of its phases, and the bytes of the tokens it made.
Outcome = tuple[dict[str, float], list[bytes]]


def _texts(files: list[Path]) -> Iterator[str]:
    for path in files:
        yield path.read_bytes().decode("utf-8")


def _bpeviz(recipe: str, processes: int | None = None) -> Callable[[list[Path], int], Outcome]:
    def train(files: list[Path], merges: int) -> Outcome:
        from bpeviz import RECIPES, Corpus, Trainer

        began = time.perf_counter()
        corpus = Corpus.from_files(files, RECIPES[recipe].split, processes=processes)
        counted = time.perf_counter()
        trainer = Trainer(corpus, recipe, num_merges=merges)
        tokens = [step.token for step in trainer.steps()]
        return {"count": counted - began, "merge": time.perf_counter() - counted}, tokens

    return train


def _tokenizers(files: list[Path], merges: int) -> Outcome:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=256 + merges, initial_alphabet=alphabet, min_frequency=1, show_progress=False
    )
    began = time.perf_counter()
    tokenizer.train_from_iterator(_texts(files), trainer)
    seconds = time.perf_counter() - began
    made = json.loads(tokenizer.to_str())["model"]["merges"]
    return {"all": seconds}, [bytes(map(GPT2_BYTE_CHARACTERS.index, left + right)) for left, right in made]


def _rustbpe(files: list[Path], merges: int) -> Outcome:
    import rustbpe

    tokenizer = rustbpe.Tokenizer()
    began = time.perf_counter()
    tokenizer.train_from_iterator(_texts(files), vocab_size=256 + merges)
    seconds = time.perf_counter() - began
    return {"all": seconds}, [bytes(token) for token, rank in tokenizer.get_mergeable_ranks() if rank >= 256]


def _tiktoken(files: list[Path], merges: int) -> Outcome:
    from tiktoken._educational import bpe_train

    from bpeviz import SPLIT_PATTERNS

    began = time.perf_counter()
    pattern = SPLIT_PATTERNS["gpt2"].regex or ""
    ranks = bpe_train("".join(_texts(files)), 256 + merges, pattern, visualise=None)
    seconds = time.perf_counter() - began
    return {"all": seconds}, [token for token, rank in ranks.items() if rank >= 256]


def _naive(files: list[Path], merges: int) -> Outcome:
    """Count every pair of every distinct pre-token again before each merge, as the notebooks do."""
    from bpeviz import RECIPES, Corpus
    from tests.support.brute_force import BruteForceTrainer

    began = time.perf_counter()
    brute = BruteForceTrainer(Corpus.from_files(files, "gpt2", processes=1), RECIPES["huggingface"])
    tokens = [step.token for step in brute.steps(merges)]
    return {"all": time.perf_counter() - began}, tokens


TRAINERS: dict[str, Callable[[list[Path], int], Outcome]] = {
    "bpeviz huggingface": _bpeviz("huggingface"),
    "bpeviz huggingface, one process": _bpeviz("huggingface", 1),
    "tokenizers": _tokenizers,
    "bpeviz rustbpe": _bpeviz("rustbpe"),
    "rustbpe": _rustbpe,
    "bpeviz tiktoken-educational": _bpeviz("tiktoken-educational"),
    "tiktoken _educational": _tiktoken,
    "naive": _naive,
}


def main() -> None:
    trainer, folder, merges = sys.argv[1:]
    phases, tokens = TRAINERS[trainer](sorted(Path(folder).iterdir()), int(merges))
    digest = hashlib.sha256(json.dumps([token.hex() for token in tokens]).encode()).hexdigest()
    print(json.dumps({"phases": phases, "merges": len(tokens), "digest": digest}))


if __name__ == "__main__":
    main()
