"""Five notebooks that teach byte-pair encoding, each with its own trainer: bpeviz gives the same results.

``notebooks.json`` holds their inputs and what they print. Two of the texts are too long for it; the tests
read them from the folder ``shared/cases`` beside the repository, if there is one.

course-cat, course-transformers and course-hugging-face follow the Hugging Face course: bytes that occur,
GPT-2's split, the pair first seen among equal counts.

course-transformers has an error: it finds that ('i', 'n') is most frequent and merges it, but writes ('Ġ',
't') down as its first merge. So its list, ``notebook_merges``, starts with ('Ġ', 't') and lacks it in sixth
place, where the merge happens. ``merges`` lists the real merges.

bytes-wikipedia is minbpe's basic trainer, but takes its pairs from a Python set, so the choice among equally
frequent pairs depends on the build of Python. No rule gives that choice: the test gives its pairs to the
trainer, and each must be one of those that tie for the highest count. If there is no tie, the recipe must
choose the same pair.

characters-verdict trains on the characters of a short story and encodes in two ways: any known pair from left
to right, and by merge rank.
"""

import json
from pathlib import Path

import pytest

from bpeviz import Corpus, Tokenizer, Trainer, load_pretrained
from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.lessons.prepared import prepared
from bpeviz.lessons.reading import lesson_named
from tests.support.paths import ROOT

pytestmark = pytest.mark.gate

CASES = {
    case["name"]: case for case in json.loads((Path(__file__).parent / "notebooks.json").read_text("utf-8"))
}
LONG_TEXTS = ROOT.parent / "shared" / "cases"

COURSES = ("course-cat", "course-transformers", "course-hugging-face")
#: The merges of bytes-wikipedia, by rank, at which several pairs tie.
WIKIPEDIA_TIES = (12, 15, 16, 18, 19)


def long_text(file_name: str) -> str:
    path = LONG_TEXTS / file_name
    if not path.exists():
        pytest.skip(f"the text of this notebook is not here: ../shared/cases/{file_name} is missing")
    return path.read_text("utf-8")


def shown(token: bytes) -> str:
    """A token as the notebooks print it, with Ġ for a space."""
    return "".join(GPT2_BYTE_CHARACTERS[value] for value in token)


def shown_pairs(trainer: Trainer) -> list[list[str]]:
    return [
        [shown(trainer.token_bytes(left)), shown(trainer.token_bytes(right))]
        for (left, right), _ in trainer.merges
    ]


# --- the Hugging Face course ---------------------------------------------------------------------------


def course(name: str) -> tuple[dict, Trainer]:
    case = CASES[name]
    return case, Trainer(Corpus.from_texts(case["texts"]), "course", vocab_size=case["vocab_size"])


@pytest.mark.parametrize("name", COURSES)
def test_the_merges_of_the_course(name):
    case, trainer = course(name)
    list(trainer.steps())
    assert shown_pairs(trainer) == case["merges"]
    assert trainer.tokenizer().n_vocab == case["vocab_size"]


@pytest.mark.parametrize("name", ["course-transformers", "course-hugging-face"])
def test_the_first_pair_of_the_course(name):
    case, trainer = course(name)
    step = trainer.step()
    assert [shown_pairs(trainer)[0], step.count] == [case["first_pair"], case["first_pair_count"]]


@pytest.mark.parametrize("name", ["course-cat", "course-hugging-face"])
def test_the_pair_counts_of_the_course(name):
    case, trainer = course(name)
    counts = {
        f"{shown(trainer.token_bytes(left))} {shown(trainer.token_bytes(right))}": count
        for (left, right), count in trainer.top_pairs(10**6)
    }
    printed = case["pair_counts_before_first_merge"]
    assert {pair: counts[pair] for pair in printed} == printed


def test_the_pre_tokens_of_course_cat():
    case, trainer = course("course-cat")
    counts = [(shown(p.encode()), count) for p, count in trainer.corpus.counts.items()]
    assert counts == list(case["pre_token_counts"].items())


def test_the_vocabulary_of_course_cat():
    case, trainer = course("course-cat")
    list(trainer.steps())
    end, *tokens = trainer.tokenizer().vocabulary.values()
    assert [end.decode(), *map(shown, tokens)] == case["vocab"]


def test_the_encoding_of_course_cat():
    case, trainer = course("course-cat")
    list(trainer.steps())
    tokenizer = trainer.tokenizer()
    tokens = [shown(tokenizer.token_bytes(i)) for i in tokenizer.encode(case["encode"]["text"])]
    assert tokens == case["encode"]["tokens"]


def test_the_slip_of_course_transformers():
    case, trainer = course("course-transformers")
    list(trainer.steps())
    picked_by_hand, merged = case["notebook_merges"], shown_pairs(trainer)
    slip = ["Ġ", "t"]
    assert (picked_by_hand[0], merged[0], merged[5]) == (slip, ["i", "n"], slip)
    assert picked_by_hand[1:] == [pair for pair in merged[1:] if pair != slip]


def test_the_base_vocabulary_and_the_first_split_of_course_hugging_face():
    case, trainer = course("course-hugging-face")
    assert [shown(symbol) for symbol in trainer.base.symbols] == case["base_vocab"]
    trainer.step()
    tokenizer = trainer.tokenizer()
    for pre_token, tokens in case["split_after_first_merge"].items():
        ids = tokenizer.encode(pre_token.replace("Ġ", " "))
        assert [shown(tokenizer.token_bytes(i)) for i in ids] == tokens


# --- bytes, with ties by the order of a set --------------------------------------------------------------


def wikipedia() -> tuple[dict, Trainer]:
    case = CASES["bytes-wikipedia"]
    cases = {c["name"]: c for c in json.loads(long_text("notebooks.json"))}
    corpus = Corpus.from_texts(cases["bytes-wikipedia"]["texts"], "none")
    return case, Trainer(corpus, "minbpe-basic", num_merges=case["num_merges"])


def test_every_pair_of_bytes_wikipedia_is_one_of_those_that_tie_for_the_highest_count():
    case, trainer = wikipedia()
    for rank, pair in enumerate(map(tuple, case["notebook_merges"])):
        pairs = trainer.top_pairs(10**6)
        highest = pairs[0][1]
        tied = [p for p, count in pairs if count == highest]
        assert pair in tied
        assert (len(tied) > 1) == (rank in WIKIPEDIA_TIES)
        if rank not in WIKIPEDIA_TIES:
            assert pairs[0][0] == pair
        step = trainer.step(pair)
        assert (step.rank, step.token_id, step.count, step.tied) == (rank, 256 + rank, highest, len(tied))


def test_the_pairs_of_bytes_wikipedia_leave_as_many_ids():
    case, trainer = wikipedia()
    assert trainer.corpus.byte_total == trainer.token_total == case["bytes"]
    for pair in case["notebook_merges"]:
        trainer.step(tuple(pair))
    assert trainer.token_total == case["ids_after"]
    assert f"{trainer.corpus.byte_total / trainer.token_total:.2f}" == case["compression_ratio"]
    assert trainer.tokenizer().encode(case["encode"]["text"]) == case["encode"]["ids"]
    assert trainer.history().token_total(case["num_merges"]) == case["ids_after"]


def integers(case: dict) -> Trainer:
    """A trainer on a text of single bytes: the integer 1 is the character U+0001, the byte 1."""
    corpus = Corpus.from_text("".join(map(chr, case["ids"])), "none")
    return Trainer(corpus, "minbpe-basic", min_frequency=case["stop_when_highest_count_is"] + 1)


def test_the_integers_of_bytes_wikipedia():
    """The notebook numbers its merges -1, -2, …; the recipe numbers them 256, 257, …

    Its second pair, (1, 2), ties with (-1, 1), which comes first: the test gives (1, 2).
    """
    case = CASES["bytes-wikipedia"]["int_example"]
    trainer = integers(case)
    id_of = {-1: 256, -2: 257, -3: 258, 1: 1, 2: 2}
    for left, right in case["notebook_merges"]:
        pairs = trainer.top_pairs(10**6)
        pair = id_of[left], id_of[right]
        assert pair in [p for p, count in pairs if count == pairs[0][1]]
        trainer.step(pair)
    assert trainer.merges == [((1, 1), 256), ((1, 2), 257), ((256, 257), 258)]
    assert trainer.step() is None  # every pair occurs once
    assert trainer.token_total == case["result_length"]
    assert trainer.tokenizer().encode("".join(map(chr, case["ids"]))) == [258, 4, 258, 1, 3]


def test_the_integers_of_bytes_wikipedia_come_to_the_same_length_by_the_rule_of_the_recipe():
    case = CASES["bytes-wikipedia"]["int_example"]
    trainer = integers(case)
    assert [(step.pair, step.count) for step in trainer.steps()] == [
        ((1, 1), 4),
        ((256, 1), 2),
        ((257, 2), 2),
    ]
    assert trainer.token_total == case["result_length"]


# --- characters ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def verdict() -> Trainer:
    case = CASES["characters-verdict"]
    trainer = Trainer(
        Corpus.from_text(long_text("the-verdict.txt"), "none"),
        "llms-from-scratch-simple",
        vocab_size=case["vocab_size"],
        special_tokens=case["special_tokens"],
    )
    list(trainer.steps())
    return trainer


def test_the_merges_of_characters_verdict(verdict):
    case = CASES["characters-verdict"]
    assert len(verdict.merges) == case["num_merges"]
    tokenizer: Tokenizer = verdict.tokenizer()
    assert tokenizer.after(0).n_vocab == len(verdict.base.symbols) + 1 == case["base_vocab_size"]
    assert tokenizer.n_vocab == case["vocab_size"]
    assert list(tokenizer.special_tokens.items()) == [("<|endoftext|>", 257)]


@pytest.mark.parametrize(
    ("printed", "order"), [("encode_left_to_right", "left-to-right"), ("encode_by_merge_rank", "merge-rank")]
)
def test_the_encodings_of_characters_verdict(verdict, printed, order):
    text, ids = CASES["characters-verdict"][printed].values()
    tokenizer = verdict.tokenizer()
    assert tokenizer.encode(text, order=order) == ids
    assert tokenizer.decode(ids) == text


def test_the_gpt2_ids_beside_characters_verdict():
    case, gpt2 = CASES["characters-verdict"]["gpt2"], load_pretrained("gpt2")
    assert gpt2.encode(case["text"]) == case["ids"]
    assert gpt2.n_vocab == case["vocab_size"]


def test_the_walk_replays_merges_of_characters_verdict_on_its_beginning(verdict):
    tokenizer, text = verdict.tokenizer(), long_text("the-verdict.txt")
    runs = lesson_named("walk-characters-verdict").runs
    assert text.startswith(runs["story"].text)
    for name in ("story", "sentence"):
        material = prepared("walk-characters-verdict").material(name)
        assert material.run.tokenizer.encode(material.text) == tokenizer.encode(material.text)
        assert {(left, right, token_id) for left, right, token_id in runs[name].replayed} <= {
            (tokenizer.token_bytes(left).decode(), tokenizer.token_bytes(right).decode(), token_id)
            for (left, right), token_id in verdict.merges
        }


def test_the_walk_shows_a_part_of_bytes_wikipedia():
    cases = {case["name"]: case for case in json.loads(long_text("notebooks.json"))}
    assert lesson_named("walk-bytes-wikipedia").runs["article"].text in cases["bytes-wikipedia"]["texts"][0]
