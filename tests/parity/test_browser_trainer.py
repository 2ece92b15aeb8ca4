"""The trainer of the browser, in Node, against Python's: the packs of the player are the same."""

import base64
import json
import random
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

from bpeviz import RECIPES, Choice
from bpeviz.browser.comparison_pack import Rival, pack_comparison
from bpeviz.browser.ranked_pack import pack_ranked
from bpeviz.browser.run_pack import PlayedRun, pack_pairs_of, pack_run
from bpeviz.browser.trainer_table import trainer_table
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.formats.pretrained import load_pretrained, pretrained_name
from bpeviz.formats.writing import refusal, write_tokenizer
from bpeviz.lessons.prepared import text_of
from bpeviz.lessons.reading import lesson_files, lesson_named
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import RunRequest, train_run
from bpeviz.runs.samples import read_sample
from bpeviz.standalone.lessons import training_order
from bpeviz.standalone.playground import BESIDE, file_formats
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.training.settings import RECIPE_SPLIT, TrainingSettings
from tests.support.hard_texts import random_text as hard_text
from tests.support.parity_corpora import ALPHABETS, SAMPLE_TITLES, SEED, SPECIAL_TOKENS, random_text
from tests.support.paths import ROOT
from tests.support.player_page import read_pack

Training = tuple[str, TrainingSettings]
RANDOM_TEXTS, NEW_TEXTS = 200, 2_000
CHARACTERS = {*range(0xD800), *range(0xE000, 0x110000)}
#: What an alphabet of one text lacks: letters that tie, pictures, marks, line ends, and what no text has.
LETTERS = "aaab bbc's é日本\u0301\u0308🙂👩‍👩‍👧\r\n\x00\ufffd\u1100\u1161\U000323b0ſK'LL ’ \t٣½ⅣǅʰΣς"

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")


def order_of(text: str, settings: TrainingSettings) -> dict[str, Any]:
    """A training as the page asks its worker for it."""
    return {
        "text": text,
        "number": 1,
        "start": 0,
        "settings": {
            "recipe": settings.recipe_name,
            "split": "" if settings.split == RECIPE_SPLIT else settings.split,
            "custom_pattern": "",
            "num_merges": settings.num_merges,
            "vocab_size": settings.vocab_size,
            "min_frequency": settings.min_frequency,
            "special_tokens": settings.special_tokens,
            "max_token_length": settings.max_token_length,
            "choices": [{"rank": c.rank, "pair": c.pair, "action": c.action} for c in settings.choices],
        },
    }


ONE_MERGE = {"name": "", "split": "gpt2", "base_size": 256, "lefts": [0], "rights": [0]}


def known_tokenizer(name: str) -> dict[str, Any]:
    """A built-in tokenizer as the page reads it."""
    pack = read_pack(pack_ranked(name))
    return {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in pack.items()}


class Made(NamedTuple):
    """What the browser makes of a training: the packs of the player, of the pairs and of a comparison with a
    finished tokenizer; the tokenizer.json, and the files of GPT-2's form; or why there are none."""

    player: bytes
    pairs: bytes
    comparison: bytes
    tokenizer_json: str
    gpt2: dict[str, str] | str


def made_in_node(trainings: Sequence[Training], *, compared: str = "") -> list[Made]:
    """Train in Node; each run is ``compared`` with a built-in tokenizer, or with one of one merge."""
    known = known_tokenizer(compared) if compared else ONE_MERGE
    orders = [order_of(*each) for each in trainings]
    done = subprocess.run(
        ["node", "train.js"],
        cwd=ROOT / "tests/javascript",
        input=json.dumps(
            {"table": trainer_table(), "formats": file_formats(), "known": known, "orders": orders}
        ),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return [Made(*map(base64.b64decode, packs), *files) for *packs, files in lines]


def packs_in_python(run: Run) -> tuple[bytes, bytes]:
    """The packs by Python; a run with a person's own merges has the one without them beside it."""
    if not run.choices:
        return pack_run(PlayedRun(run=run, title="Text", start=0, grows=True)), pack_pairs_of(run)
    other = numbered(run.corpus.text, replace(run.settings, choices=()), 2)
    beside = PlayedRun(run=other, title="Without your choices", start=0, grows=True)
    played = PlayedRun(run=run, title="With your choices", start=0, grows=True, beside=beside)
    return pack_run(played), pack_pairs_of(run)


def run_by(text: str, settings: TrainingSettings) -> Run:
    """The run of a text by settings with a person's choices."""
    return train_run(RunRequest("", NamedText("Text", text), settings), lambda share, phase: None)


def numbered(text: str, settings: TrainingSettings, number: int) -> Run:
    return replace(run_by(text, settings), number=number)


def parts(pack: bytes) -> tuple[Any, ...]:
    """The header of a pack, its arrays, and the parts of the pack beside it, as JSON has several forms."""
    size = int.from_bytes(pack[:4], "little")
    header, arrays = json.loads(pack[4 : 4 + size]), pack[4 + size :]
    last = header["arrays"][-1]
    if last["name"] != "beside" or not last["length"]:
        return header, arrays
    end = len(arrays) - last.pop("length")
    return header, arrays[:end], parts(arrays[end:])


def expect_equal(trainings: Sequence[Training]) -> None:
    for (text, settings), made in zip(trainings, made_in_node(trainings), strict=True):
        run = numbered(text, settings, 1)
        expected = packs_in_python(run)
        assert [parts(made.player), parts(made.pairs)] == [*map(parts, expected)], (text, settings)
        expect_files(made, run)


def expect_files(made: Made, run: Run) -> None:
    """The files of the tokenizer are those of Python, and refused where Python refuses them."""
    of_bytes = isinstance(run.result.base, ByteVocabulary)
    for format, files in (("huggingface", made.tokenizer_json), ("gpt2", made.gpt2)):
        if not of_bytes or refusal(run.tokenizer, format):
            assert str(files).startswith("Error: "), (format, run.settings)
            continue
        written = {name: data.decode() for name, data in write_tokenizer(run.tokenizer, format).items()}
        if isinstance(files, dict):
            assert files == {"vocab": written["vocab.json"], "merges": written["merges.txt"]}
        else:
            assert json.loads(files) == json.loads(written["tokenizer.json"])


def random_training(name: str, seed: int) -> Training:
    """A text over few letters, and rules that fit it."""
    rng = random.Random(seed)
    kind = rng.randrange(3)
    text = (
        random_text(rng)
        if kind == 0
        else hard_text(rng)
        if kind == 1
        else "".join(rng.choices(rng.sample(LETTERS, rng.randint(2, 9)), k=rng.randint(1, 90)))
    )
    special = tuple(rng.sample(SPECIAL_TOKENS, rng.randint(0, 3))) if rng.random() < 0.5 else None
    settings = TrainingSettings(
        name,
        rng.choice([RECIPE_SPLIT, *SPLIT_PATTERNS]) if rng.random() < 0.5 else RECIPE_SPLIT,
        num_merges=rng.choice([0, 1, 12, 40, 400]),
        min_frequency=rng.choice([1, 2, 3]),
        vocab_size=rng.choice([700, 5_000]) if rng.random() < 0.2 else None,
        special_tokens=special,
        max_token_length=rng.randint(1, 5) if rng.random() < 0.2 else None,
    )
    text = text or "a"
    return text, settings if rng.random() < 0.6 else forked(rng, text, settings)


def forked(rng: random.Random, text: str, settings: TrainingSettings) -> TrainingSettings:
    """The settings with merges and vetoes that a person could choose: at a step, of a pair that is there."""
    run = run_by(text, settings)
    for _ in range(rng.randint(1, 3)):
        first = settings.choices[-1].rank + 1 if settings.choices else 0
        if len(run.steps) < first:
            break
        rank = rng.randint(first, len(run.steps))
        pairs = [pair for pair, _ in run.top_pairs.at(rank)]
        if not pairs:
            break
        choice = Choice(rank, rng.choice(pairs), rng.choice(["merge", "veto"]))
        settings = replace(settings, choices=(*settings.choices, choice))
        run = run_by(text, settings)
    return settings


def random_trainings(name: str, seeds: range) -> Iterator[Training]:
    for seed in seeds:
        yield random_training(name, seed)


@pytest.mark.gate
@pytest.mark.parametrize("name", RECIPES)
def test_random_texts_give_the_packs_of_python(name: str) -> None:
    expect_equal([*random_trainings(name, range(SEED, SEED + RANDOM_TEXTS))])


@pytest.mark.full
@pytest.mark.parametrize("name", RECIPES)
def test_new_random_texts_give_the_packs_of_python(name: str) -> None:
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed: {seed}")
    expect_equal([*random_trainings(name, range(seed, seed + NEW_TEXTS))])


@pytest.mark.gate
@pytest.mark.parametrize("name", RECIPES)
def test_the_parity_corpora_give_the_packs_of_python(name: str) -> None:
    settings = TrainingSettings(name, num_merges=300, min_frequency=1)
    texts = [read_sample(title)[:20_000] for title in SAMPLE_TITLES]
    expect_equal([(text, settings) for text in (*texts, "".join(ALPHABETS))])


@pytest.mark.gate
@pytest.mark.parametrize("split", SPLIT_PATTERNS)
def test_every_kind_of_character_is_cut_as_python_does(split: str) -> None:
    """Each character at the border of a class of characters, and the one beside it, among others."""
    classes = trainer_table()["classes"]
    assert isinstance(classes, dict)
    borders = {int(code, 16) for each in classes.values() for code in re.findall(r"\\u\{(\w+)\}", each)}
    codes = {code + by for code in borders for by in (-1, 0, 1)} | {*range(0x300)}
    beside = "".join(f"{c}a {c}'{c}1{c}\n{c}s {c}Bé{c}{c}" for c in map(chr, sorted(codes & CHARACTERS)))
    assert len(beside) > 100_000
    settings = TrainingSettings("rustbpe", split, num_merges=0, special_tokens=())
    expect_equal([(f"{beside} \n", settings)])


@pytest.mark.gate
@pytest.mark.parametrize("name", ["gpt2", *BESIDE])
def test_a_known_tokenizer_gives_the_gap_ranks_and_the_comparison_of_python(name: str) -> None:
    """Also of characters that are newer than the Unicode of its libraries, or changed in it."""
    known = load_pretrained(name)
    rng = random.Random(SEED)
    texts = [
        *(hard_text(rng) or "a" for _ in range(50)),
        "a\U000323b0b \u1c89x \u0295B\u0295b \u0250B",
        "".join(ALPHABETS),
        *(read_sample(title) for title in SAMPLE_TITLES),
    ]
    settings = TrainingSettings("huggingface", num_merges=50)
    for text, made in zip(
        texts, made_in_node([(text, settings) for text in texts], compared=name), strict=True
    ):
        run = run_by(text, settings)
        own = Rival("huggingface", run.tokenizer, run.tokenizer.encode_text(text), len(run.steps))
        other = Rival(pretrained_name(name), known, known.encode_text(text), len(known.merges))
        own = replace(own, encoded=replace(own.encoded, gap_ranks=run.gap_ranks))
        expected = pack_comparison(text, (own, other), locked=False, serial=1)
        assert parts(made.comparison) == parts(expected), text


@pytest.mark.gate
def test_the_runs_of_lessons_give_the_packs_of_python() -> None:
    specs = [spec for slug in lesson_files() for spec in lesson_named(slug).runs.values()]
    trained = [spec for spec in specs if training_order(spec)]
    assert len(trained) > 10
    expect_equal(
        [
            (
                text_of(spec),
                TrainingSettings(
                    spec.recipe, spec.split, num_merges=spec.merges, min_frequency=spec.min_frequency
                ),
            )
            for spec in trained
        ]
    )
