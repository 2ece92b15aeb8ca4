"""The lessons that come with the page: every figure by a second route, every guess, every sentence."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from bpeviz import load_pretrained
from bpeviz.core.gap_ranks import token_ends
from bpeviz.lessons.computing import compute, fill, plain
from bpeviz.lessons.guessing import candidates
from bpeviz.lessons.lesson import ChoiceGuess, PairGuess, TryIt
from bpeviz.lessons.measured_claims import Pieces
from bpeviz.lessons.prepared import Prepared, prepared
from bpeviz.lessons.reading import lesson_files, lesson_named, texts_of
from bpeviz.runs.language_cost import language_cost
from bpeviz.runs.run import NamedText
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.runs.samples import read_sample
from bpeviz.training.settings import CUSTOM_SPLIT, RECIPE_SPLIT, TrainingSettings
from bpeviz.words import how_often
from tests.support.trained import run_of
from tools.interface_words import sentences

SLUGS = list(lesson_files())
STOPS = [(slug, place) for slug in SLUGS for place in range(len(lesson_named(slug).stops))]


def test_the_shortest_cut_is_made_of_tokens_and_spells_the_word() -> None:
    cut = compute(prepared("is-bpes-result-the-shortest"), "shortest")
    assert isinstance(cut, tuple)
    assert b"".join(cut) == b" boathouse"
    assert all(load_pretrained("gpt2").token_to_id(token) for token in cut)
    assert len(cut) == compute(prepared("is-bpes-result-the-shortest"), "shortest_tokens")


@pytest.mark.parametrize(("slug", "place"), STOPS)
def test_every_stop_is_on_its_run(slug: str, place: int) -> None:
    material, step = prepared(slug).material_at(place)
    assert 0 <= step <= len(material.run.steps)
    assert len(material.gap_ranks) == len(material.text.encode())


@pytest.mark.parametrize("slug", SLUGS)
def test_no_sentence_has_more_than_twenty_words(slug: str) -> None:
    lesson = prepared(slug)
    for field, words in texts_of(lesson.lesson):
        for sentence in re.split(r"(?<=[.!?:;])\s", plain(fill(lesson, words))):
            said = [word for word in sentence.split() if not word.strip(",.").isdigit()]  # ids are listed
            assert len(said) <= 20, f"{field}: {sentence}"


@pytest.mark.parametrize("slug", SLUGS)
def test_a_caption_has_at_most_two_sentences(slug: str) -> None:
    captions = [stop.caption for stop in prepared(slug).lesson.stops]
    assert [caption for caption in captions if len(sentences(caption)) > 2] == []


@pytest.mark.parametrize("slug", SLUGS)
def test_the_right_answer_of_a_choice_is_one_of_its_answers(slug: str) -> None:
    lesson = prepared(slug)
    for stop in lesson.lesson.stops:
        if isinstance(stop.guess, ChoiceGuess):
            answers = [plain(fill(lesson, answer)) for answer in stop.guess.answers]
            assert len(set(answers)) == len(answers)
            assert plain(fill(lesson, stop.guess.right)) in answers


@pytest.mark.parametrize("slug", SLUGS)
def test_the_pair_to_guess_is_the_next_merge_and_no_other_has_a_higher_count(slug: str) -> None:
    lesson = prepared(slug)
    for place, stop in enumerate(lesson.lesson.stops):
        if isinstance(stop.guess, PairGuess):
            material, step = lesson.material_at(place)
            found = candidates(material.run, step, stop.guess.answers)
            best = material.run.steps[step]
            assert [c.pair for c in found if c.right] == [best.pair]
            counts = {c.pair: RunAtStep(material.run, step).count(c.pair) for c in found}
            assert all(f" occurs {how_often(counts[c.pair])}" in c.why for c in found)
            assert max(counts.values()) == best.count


@pytest.mark.parametrize("slug", SLUGS)
def test_the_settings_of_a_lesson_train_on_its_sample_up_to_its_step(slug: str) -> None:
    try_it = lesson_named(slug).try_it
    settings = try_it.settings(TrainingSettings())
    run = run_of(NamedText(try_it.sample, read_sample(try_it.sample)), settings)
    assert settings.num_merges == try_it.merges
    assert try_it.step <= len(run.steps)


@pytest.mark.parametrize(
    ("named", "split", "pattern"),
    [({}, CUSTOM_SPLIT, "own"), ({"recipe": "minbpe"}, RECIPE_SPLIT, ""), ({"split": "qwen2"}, "qwen2", "")],
)
def test_a_lesson_changes_only_the_settings_that_it_names(
    named: dict[str, str], split: str, pattern: str
) -> None:
    own = TrainingSettings(
        "course", CUSTOM_SPLIT, "own", min_frequency=3, vocab_size=300, special_tokens=("<s>",)
    )
    changed = TryIt(sample="English prose", merges=40, **named).settings(own)
    recipe = named.get("recipe", "course")
    assert changed == replace(
        own, recipe=recipe, split=split, custom_pattern=pattern, num_merges=40, vocab_size=None
    )


# facts that captions say in words


def test_both_trainers_have_made_the_same_six_merges() -> None:
    lesson = prepared("why-do-trainers-disagree")
    of_one, of_other = (lesson.material(name).run.steps[:6] for name in ("huggingface", "minbpe"))
    assert {step.token for step in of_one} == {step.token for step in of_other}
    assert of_one[4].token != of_other[4].token
    assert [step.token for step in of_one[:4]] == [step.token for step in of_other[:4]]


def test_gpt2_has_no_token_for_a_run_of_spaces() -> None:
    vocabulary = load_pretrained("gpt2").vocabulary.values()
    assert [token for token in vocabulary if len(token) > 1 and not token.strip(b" ")] == []
    assert [token for token in load_pretrained("cl100k_base").vocabulary.values() if token == b" " * 8]


def test_no_merge_makes_the_special_token() -> None:
    gpt2 = load_pretrained("gpt2")
    assert gpt2.special_tokens["<|endoftext|>"] not in gpt2.merge_token_ids


def test_no_pair_of_the_letters_occurs_twice_after_three_merges() -> None:
    run = prepared("what-is-a-merge").material().run
    assert run.history.pair_counts(3)["count"].max() == 1


def test_the_last_of_500_merges_join_pairs_that_occur_once() -> None:
    run = prepared("how-large-should-the-vocabulary-be").material().run
    assert {step.count for step in run.steps[490:500]} == {1}


def test_both_tie_rules_end_in_the_same_tokens() -> None:
    assert compute(prepared("what-if-it-is-a-tie"), "same_end") == "the same"
    assert compute(prepared("walk-bytes-wikipedia"), "same_end") == "the same"


def cuts(tokens: object) -> set[int]:
    """How many digits are right of each cut between tokens."""
    assert isinstance(tokens, tuple)
    sizes = [len(token.strip()) for token in reversed(tokens)]
    return {sum(sizes[:place]) for place in range(1, len(sizes))}


def test_nothing_of_the_two_numbers_lines_up() -> None:
    lesson = prepared("why-is-arithmetic-hard")
    one, other = (cuts(compute(lesson, name)) for name in ("gpt2", "gpt2_second"))
    assert one
    assert other
    assert not one & other
    assert b" 1928" in compute(lesson, "gpt2_second")  # type: ignore[operator]


def test_one_digit_more_leaves_the_first_groups_and_lengthens_the_last() -> None:
    lesson = prepared("why-is-arithmetic-hard")
    before, after = compute(lesson, "from_left"), compute(lesson, "longer")
    assert before == (b"123", b"456", b"7")
    assert after == (b"123", b"456", b"78")
    assert shown("why-is-arithmetic-hard", 4)[:3] == list(after)


def shown(slug: str, place: int) -> list[bytes]:
    """The tokens that the player shows at a stop."""
    material, step = prepared(slug).material_at(place)
    data, ends = material.text.encode(), (token_ends(material.gap_ranks, step) + 1).tolist()
    return [data[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def test_the_player_shows_the_pieces_of_the_special_token_as_the_caption_has_them() -> None:
    pieces = compute(prepared("what-happens-at-endoftext"), "typed")
    assert isinstance(pieces, tuple)
    tokens = shown("what-happens-at-endoftext", 2)
    begin = tokens.index(pieces[0])
    assert tokens[begin : begin + len(pieces)] == list(pieces)


def test_no_space_before_a_word_is_a_token_alone_in_english() -> None:
    assert b" " not in shown("why-does-a-trailing-space-matter", 0)
    assert b" " not in shown("why-does-a-trailing-space-matter", 1)
    assert shown("why-does-a-trailing-space-matter", 4)[-1:] == [b" "]


def test_both_vocabularies_rank_the_three_spellings_alike() -> None:
    lesson = prepared("yaml-or-json")
    spellings = ("compact", "yaml", "json")
    for names in (spellings, [f"{name}_gpt2" for name in spellings]):
        figures = [compute(lesson, name) for name in names]
        assert figures == sorted(figures, key=str)
    assert compute(lesson, "json_gpt2") > compute(lesson, "json")  # type: ignore[operator]
    assert compute(lesson, "yaml_gpt2") > compute(lesson, "yaml")  # type: ignore[operator]


@pytest.mark.parametrize(("slug", "place"), STOPS)
def test_no_caption_gives_away_the_pair_that_it_asks_for(slug: str, place: int) -> None:
    lesson = prepared(slug)
    stop = lesson.lesson.stops[place]
    if isinstance(stop.guess, PairGuess):
        material, step = lesson.material_at(place)
        assert material.run.pair_label(material.run.steps[step].pair) not in plain(fill(lesson, stop.caption))


def test_a_language_costs_what_the_box_on_the_main_page_says() -> None:
    lesson = prepared("why-do-other-languages-cost-more")
    said = language_cost("नमस्ते", {"GPT-2": load_pretrained("gpt2"), "o200k": load_pretrained("o200k_base")})
    assert f"{compute(lesson, 'hi_times')} times as many tokens in GPT-2" in said
    assert f"{compute(lesson, 'hi_o200k_times')} times as many in o200k" in said


@pytest.mark.parametrize(("run", "claim"), [("english", "en"), ("hindi", "hi"), ("hindi_o200k", "hi_o200k")])
def test_the_player_counts_the_tokens_of_a_language_as_the_caption_does(run: str, claim: str) -> None:
    lesson = prepared("why-do-other-languages-cost-more")
    material = lesson.material(run)
    history = material.run.history
    assert history.token_total(len(material.run.steps)) == compute(lesson, claim)
    if run != "english":
        assert history.token_total(0) == compute(lesson, "hi_bytes")


def cuts_shown(lesson: Prepared, place: int, part: bytes) -> list[tuple[bytes, ...]]:
    """How the player at a stop cuts each occurrence of a part of its text that is whole tokens."""
    material, step = lesson.material_at(place)
    text, ends = material.text.encode(), set((token_ends(material.gap_ranks, step) + 1).tolist())
    cuts = []
    for found in re.finditer(re.escape(part), text):
        inside = [found.start(), *sorted(e for e in ends if found.start() < e < found.end()), found.end()]
        if {found.start(), found.end()} <= ends | {0}:
            cuts.append(tuple(text[a:b] for a, b in pairwise(inside)))
    return cuts


@pytest.mark.parametrize(("slug", "place"), STOPS)
def test_tokens_that_a_caption_names_are_cut_so_where_the_player_shows_them(slug: str, place: int) -> None:
    lesson = prepared(slug)
    for name in re.findall(r"\{(\w+)\}", lesson.lesson.stops[place].caption):
        claim, said = lesson.lesson.claims[name], compute(lesson, name)
        if isinstance(claim, Pieces) and isinstance(said, tuple) and not claim.special:
            cuts = cuts_shown(lesson, place, b"".join(said))
            assert not cuts or said in cuts, name
