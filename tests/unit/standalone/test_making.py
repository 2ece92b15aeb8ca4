"""The methods ``player``: what they show, what they refuse, and what the sentence says of forced merges."""

import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bpeviz import Choice, Corpus, Tokenizer, Trainer, compare, load_pretrained, steps_with
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.errors import CorpusError, PlayerError
from bpeviz.limits import limits
from bpeviz.runs.replay import replay
from bpeviz.runs.run import NamedText
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.training.history import MergeHistory
from bpeviz.training.result import TrainingResult
from tests.support.player_page import brute_spans, read_player_page, spans_at
from tests.support.trained import LOW, trained

A, B, C, D = b"abcd"
TEXT = "aaabdaaabac" * 2


def trainer(num_merges: int = 5, text: str = TEXT) -> Trainer:
    return Trainer(Corpus.from_text(text, split="none"), "minbpe-basic", num_merges=num_merges)


def pack(trainer: Trainer, text: str | None = None, **options: Any) -> dict[str, Any]:
    return read_player_page(trainer.player(text, **options).to_html()).pack("player")


def pairs(trainer: Trainer) -> dict[str, Any]:
    return read_player_page(trainer.player().to_html()).pack("pairs")


def test_an_empty_text_is_refused() -> None:
    made = trained()
    for refused in (
        lambda: made.player(""),
        lambda: made.history().player(""),
        lambda: made.tokenizer().player(""),
    ):
        with pytest.raises(PlayerError, match="no text to show"):
            refused()
    with pytest.raises(PlayerError, match="no text to show"):
        compare("", made.tokenizer(), made.tokenizer()).player()


def test_half_a_surrogate_pair_is_refused() -> None:
    made = trained()
    for refused in (made.player, made.history().player, made.tokenizer().player):
        with pytest.raises(CorpusError, match="half of a surrogate pair"):
            refused("low \ud800")


@pytest.mark.parametrize("text", [b"low", 5, ["low"]])
def test_what_is_no_text_is_refused(text: Any) -> None:
    made = trained()
    for refused in (made.player, made.tokenizer().player):
        with pytest.raises(CorpusError, match="must be a string"):
            refused(text)


def test_a_text_over_the_limit_is_refused_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    made = trained()
    text = "low " * (limits().max_text_bytes // 4 + 1)
    monkeypatch.setattr("bpeviz.training.history.pre_tokens", lambda *_: pytest.fail("worked on the text"))
    with pytest.raises(PlayerError, match=f"shows up to {limits().max_text_bytes:,}"):
        made.player(text)
    with pytest.raises(PlayerError, match="Give the player a part of it"):
        made.tokenizer().player(text)


def test_a_trainer_without_merges_trains_and_one_that_makes_none_has_nothing_to_show() -> None:
    made = trainer(num_merges=3)
    assert made.player().last == len(made.merges) == 3
    for nothing in (trainer(num_merges=0), trainer(text="a")):
        for text in (None, TEXT):
            with pytest.raises(PlayerError, match="No merge was made"):
                nothing.player(text)


def test_a_comparison_without_its_text_is_refused() -> None:
    compared = compare(LOW, trained().tokenizer(), trained().tokenizer())
    with pytest.raises(PlayerError, match="Make it with compare"):
        replace(compared, compared=None).player()


def test_a_history_that_no_trainer_made_is_refused() -> None:
    result = replay(NamedText("Text", LOW), trained().tokenizer(), "it").result
    history = MergeHistory(
        *(result.corpus, result.base, result.merges, result.symbol_gap_ranks),
        tokens=result.tokens,
        tie="first-seen",
    )
    with pytest.raises(PlayerError, match=r"history doesn't come from a trainer\. Use Trainer\.player"):
        history.player(LOW)


def test_trainer_and_history_show_the_same() -> None:
    made = trained()
    one, two = (read_player_page(each.player(LOW, step=3).to_html()) for each in (made, made.history()))
    assert spans_at(one.pack("player")["gaps"], 3) == spans_at(two.pack("player")["gaps"], 3)
    assert one.rows == two.rows
    assert one.title == two.title == f"Text: recipe huggingface, {len(made.merges)} merges"


def test_a_player_shows_the_merges_made_when_it_was_asked_for() -> None:
    made = trainer()
    made.step()
    player = made.player()
    made.step()
    assert player.last == 1
    assert made.player().last == 2
    page = read_player_page(player.to_html())
    assert len(page.rows) == 2
    assert page.pack("player")["stop_reason"] == ""


def test_a_part_of_the_corpus_has_the_totals_of_all_of_it() -> None:
    made = trained()
    part = pack(made, "low lower")
    whole = pack(made, LOW)
    assert part["totals"].tolist() == whole["totals"].tolist()
    assert part["text_bytes"] == whole["text_bytes"] == len(LOW)
    assert bytes(part["text"]) == b"low lower"


def test_the_merges_of_the_recipe_are_not_marked() -> None:
    made = trainer()
    list(made.steps())
    shown = pack(made)
    assert (shown["chosen"], shown["vetoed_from"]) == ([], None)


def test_a_forced_merge_is_the_authors() -> None:
    made = trainer()
    made.step()
    made.step((A, C))
    list(made.steps())
    shown = pack(made)
    assert shown["chosen"] == [1]
    assert shown["chooser"] == "the author"
    assert pack(made, TEXT)["chosen"] == [1]
    assert read_player_page(made.history().player().to_html()).pack("player")["chosen"] == [1]


def test_a_forced_merge_that_the_recipe_would_have_chosen_is_the_recipes() -> None:
    made = trainer()
    made.step((A, A))
    list(made.steps())
    assert pack(made)["chosen"] == []


def test_after_a_veto_the_recipe_still_chooses() -> None:
    made = trainer()
    made.veto((A, A))
    list(made.steps())
    assert made.merges[0][0] != (A, A)
    shown = pack(made)
    assert shown["chosen"] == []
    assert shown["vetoed_from"] == 0
    assert pairs(made)["vetoed"] == [[A, A, 0]]


def test_a_vetoed_pair_that_the_author_merges_is_the_authors() -> None:
    made = trainer()
    made.step()
    made.veto((256, A))
    made.step((256, A))
    assert pack(made)["chosen"] == [1]
    assert pack(made)["vetoed_from"] == 1


def test_a_trainer_that_continues_keeps_the_choices_and_a_copy_has_its_own() -> None:
    made = trainer()
    made.step((A, C))
    first = made.result()
    assert first.choices == (Choice(0, (A, C)),)
    more = Trainer(made.corpus, "minbpe-basic", num_merges=3, made=first)
    list(more.steps())
    assert pack(more)["chosen"] == [0]
    other = copy.copy(made)
    other.veto((A, B))
    assert made.result() is not None
    assert made.result().choices == first.choices
    assert first.after(0).choices == ()
    assert first.after(1).choices == first.choices


def test_the_choices_of_a_fork_are_the_trainers() -> None:
    made = trainer()
    list(steps_with(made, [Choice(0, (A, A), "veto"), Choice(1, (A, C)), Choice(2, (B, D), "veto")]))
    assert made.result().choices == (
        Choice(0, (A, A), "veto"),
        Choice(1, (A, C)),
        Choice(2, (B, D), "veto"),
    )


def test_a_tokenizer_opens_at_its_last_merge_on_the_text() -> None:
    gpt2 = load_pretrained("gpt2")
    player = gpt2.player(LOW, name="GPT-2")
    page = read_player_page(player.to_html())
    shown = page.pack("player")
    assert player.step == player.last == shown["num_merges"] == shown["start"]
    assert shown["order"] == "GPT-2 merges by rank, not by count."
    assert "pairs" in page.settings["packs"]
    tokens = [LOW.encode()[start:end] for start, end in spans_at(shown["gaps"], player.last)]
    assert tokens == [gpt2.token_bytes(i) for i in gpt2.encode(LOW)]
    assert page.text_bytes().decode() == LOW


def test_every_step_of_a_tokenizer_is_the_tokenizer_with_fewer_merges() -> None:
    tokenizer = trained().tokenizer()
    shown = read_player_page(tokenizer.player(LOW).to_html()).pack("player")
    for step in range(shown["num_merges"] + 1):
        assert spans_at(shown["gaps"], step) == brute_spans(tokenizer, LOW, step)


def test_a_tokenizer_that_merges_nothing_in_the_text_is_refused() -> None:
    with pytest.raises(CorpusError, match="merges nothing in this text"):
        trained().tokenizer().player("zz")


def test_a_word_that_no_merge_makes_is_one_token_from_the_start() -> None:
    base = ByteVocabulary(bytes(range(256)))
    tokenizer = Tokenizer(
        base, [((A, B), 256), (None, 257)], split=SPLIT_PATTERNS["gpt2"], unmade={257: b"abc"}
    )
    shown = read_player_page(tokenizer.player("abc ab", name="mine").to_html()).pack("player")
    assert (shown["num_merges"], shown["special_ids"]) == (1, {b"abc".hex(): 257})


def test_a_tokenizer_of_a_library_plays_on_the_text_that_its_library_makes(tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    made = tokenizers.Tokenizer(tokenizers.models.BPE())
    made.normalizer = tokenizers.normalizers.Lowercase()
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.train_from_iterator([LOW], tokenizers.trainers.BpeTrainer(vocab_size=30, show_progress=False))
    path = tmp_path / "tokenizer.json"
    made.save(str(path))
    tokenizer = Tokenizer.load(path)
    assert tokenizer.pipeline is not None
    assert None not in tokenizer.merges
    page = read_player_page(tokenizer.player(LOW, name="mine").to_html())
    text, shown = page.text_bytes(), page.pack("player")
    tokens = [text[start:end] for start, end in spans_at(shown["gaps"], shown["num_merges"])]
    assert tokens == [tokenizer.token_bytes(i) for i in tokenizer.encode(LOW)]
    compared = read_player_page(compare(LOW, tokenizer, trained().tokenizer()).player().to_html())
    assert compared.text_bytes(0).decode() == LOW


def test_a_comparison_shows_both_texts_in_their_tokens() -> None:
    one, two = trained().tokenizer(), load_pretrained("gpt2")
    page = read_player_page(compare(LOW, one, two).player(names=("mine", "GPT-2"), locked=True).to_html())
    assert page.title == "mine and GPT-2 on one text"
    shown = page.pack("comparer")
    assert shown["locked"] is True
    assert [side["name"] for side in shown["sides"]] == ["mine", "GPT-2"]
    for side, tokenizer in enumerate((one, two)):
        spans = brute_spans(tokenizer, LOW, len(tokenizer.merges)) if side == 0 else None
        ends = {end for _, end in spans} if spans else None
        tokens = [tokenizer.token_bytes(i) for i in tokenizer.encode(LOW)]
        assert page.text_bytes(side) == LOW.encode() == b"".join(tokens)
        if ends:
            assert page.edges(side) <= ends
    count = len(two.encode(LOW))
    assert (
        f"A text of {len(LOW)} bytes: mine {len(one.encode(LOW))} tokens, GPT-2 {count} tokens."
        in page.paragraphs
    )


def test_results_without_choices_are_still_made() -> None:
    assert TrainingResult.__dataclass_fields__["choices"].default == ()
