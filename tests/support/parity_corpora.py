"""Trainings to compare with the real libraries, easy and difficult ones.

The tests and the benchmark that prints the table of docs/recipes.md use the same ones.
"""

import random
import unicodedata
from collections.abc import Iterator

from bpeviz import RECIPES, Corpus, Trainer
from bpeviz.parity import LIBRARIES, ParityCheck
from bpeviz.runs.samples import SAMPLES, STANDARD_LIBRARY, read_sample
from bpeviz.training.settings import TrainingSettings
from tests.support.brute_force import BruteForceTrainer

SEED = 20261121
RANDOM_CORPORA = 1_000
RANDOM_MERGES = 30
SAMPLE_TITLES = [title for title, sample in SAMPLES.items() if sample is not STANDARD_LIBRARY]
#: How many merges of each sample text.
SAMPLE_MERGES = {
    "huggingface": 2_000,
    "rustbpe": 2_000,
    "tiktoken-educational": 80,
    "subword-nmt": 2_000,
    "sentencepiece": 2_000,
}
#: For recipes without a library: brute_force.py counts everything again before each merge.
BRUTE_SAMPLE_MERGES = 60
#: How much of the standard library's sources, and how many merges of it: as many as the other trainer makes
#: in half a minute. Some trainers are slow by design, and every merge of an unsplit text reads all of it.
LIBRARY_CHARACTERS = 2_000_000
LIBRARY_MERGES = {
    "huggingface": 5_000,
    "rustbpe": 5_000,
    "subword-nmt": 2_000,
    "sentencepiece": 5_000,
    "tiktoken-educational": 20,
    "course": 100,
    "cs336": 100,
    "minbpe": 100,
    "minbpe-basic": 10,
    "llms-from-scratch-simple": 10,
}
BRUTE_RANDOM_MERGES = 12


def _known(code: int) -> bool:
    """Whether libraries of different Unicode versions treat a character the same: new characters are letters
    for some only, and have another test. Nothing is new from plane 4 on."""
    return unicodedata.category(chr(code)) not in ("Cn", "Cs") or code >= 0x40000


#: Every byte that UTF-8 has: all of ASCII, and each byte that starts or continues a longer character.
EVERY_BYTE = "".join(
    chr(code)
    for code in (*range(0x800), *range(0x800, 0x10000, 0x3F), *range(0x10000, 0x110000, 0xFC1))
    if _known(code)
)
#: Few letters make ties and runs; the others test the borders of splitting, UTF-8 and special tokens.
ALPHABETS = [
    "ab",
    "aab ",
    "abc 's1",
    "aé 日\u0301🙂",
    "é日🙂",
    "ab\n ",
    "ab \\.*+#",
    "a</w> ",
    " \t\n\r\u00a0\u3000a",
    "\x00\x01\x1f\x7f",
    "".join(map(chr, range(32))) + "ab ",
    "\x85\u2028\u2029\x1c\x1d\x0b\x0ca b",
    EVERY_BYTE,
]
SPECIAL_TOKENS = ["<s>", "<|endoftext|>", "ab", "aa", "aab", "ba", " a", "a\n", "日é", "<s"]


def random_text(rng: random.Random) -> str:
    """A few short pieces over one alphabet, repeated and reused, which make ties and runs."""
    alphabet = rng.choice(ALPHABETS)
    letters = [rng.choices(alphabet, k=rng.randint(1, 8)) for _ in range(rng.randint(1, 6))]
    pool = ["".join(piece) * rng.randint(1, 6) for piece in letters]
    if rng.random() < 0.25:
        pool.append("<s>")
    return "".join(rng.choices(pool, k=rng.randint(1, 12)))


def random_trainings(name: str) -> Iterator[ParityCheck]:
    """Random trainings: half have special tokens, which the text may hold; half stop at pairs that occur
    once, half at those that occur twice."""
    merges = RANDOM_MERGES if name in LIBRARIES else BRUTE_RANDOM_MERGES
    for number in range(RANDOM_CORPORA):
        rng = random.Random(SEED + number)
        special = rng.sample(SPECIAL_TOKENS, rng.randint(1, 3)) if rng.random() < 0.5 else []
        yield trained(name, random_text(rng), merges, rng.choice([1, 2]), special)


def sample_trainings(name: str) -> Iterator[ParityCheck]:
    for title in SAMPLE_TITLES:
        yield trained(name, read_sample(title), SAMPLE_MERGES.get(name, BRUTE_SAMPLE_MERGES))


def library_sources(name: str) -> ParityCheck:
    return trained(name, read_sample(STANDARD_LIBRARY.title, LIBRARY_CHARACTERS), LIBRARY_MERGES[name])


def equals_brute_force(training: ParityCheck) -> bool:
    """Whether a trainer that counts everything again before each merge makes the same merges."""
    brute = BruteForceTrainer(
        training.corpus,
        training.recipe,
        special_tokens=training.special,
        min_frequency=training.fewest,
    )
    brute.steps(training.settings.num_merges)
    return list(training.merges) == brute.merges


def trained(
    name: str,
    text: str,
    merges: int,
    min_frequency: int | None = None,
    special_tokens: list[str] | None = None,
) -> ParityCheck:
    """Our training on a text by a recipe."""
    recipe = RECIPES[name]
    trainer = Trainer(
        Corpus.from_text(text, recipe.split_pattern(special_tokens=special_tokens)),
        recipe,
        num_merges=merges,
        min_frequency=min_frequency,
        special_tokens=special_tokens,
    )
    for _ in trainer.steps():
        pass
    settings = TrainingSettings(
        name,
        num_merges=merges,
        min_frequency=trainer.min_frequency,
        special_tokens=trainer.special_tokens,
    )
    return ParityCheck(text, trainer.merges, settings)
