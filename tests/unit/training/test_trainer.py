"""Training: by hand, then every recipe against a trainer that recounts everything before each merge."""

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tiktoken._educational import bpe_train

from bpeviz import RECIPES, Corpus, Trainer, train
from bpeviz.errors import CorpusError, TrainingSettingsError
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from tests.support.brute_force import BruteForceTrainer
from tests.support.texts import END_OF_WORD_TEXT, TIGHT_TEXT, TIGHT_TEXTS

EVERY_RECIPE = pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES.keys())
MERGES = 25


def all_pairs(trainer: Trainer) -> list[tuple[tuple[int, int], int]]:
    return trainer.top_pairs(10**6)


def corpus_for(recipe, texts) -> Corpus:
    return Corpus.from_texts(texts, recipe.split)


# --- by hand -------------------------------------------------------------------------------------------


def test_aaabdaaabac_by_hand():
    # aaabdaaabac   (a,a) 4, (a,b) 2, the others 1      -> X = aa
    # Xabd Xabac    (X,a) 2 and (a,b) 2: a tie, (X,a) is seen first     -> Y = aaa
    # Yb d Yb ac    (Y,b) 2     -> Z = aaab
    # Zd Zac        every pair once
    steps = list(train("aaabdaaabac", "minbpe-basic", num_merges=3))
    assert [(s.token, s.pair, s.token_id) for s in steps] == [
        (b"aa", (97, 97), 256),
        (b"aaa", (256, 97), 257),
        (b"aaab", (257, 98), 258),
    ]
    assert [(s.rank, s.count, s.tied, s.token_total) for s in steps] == [
        (0, 4, 1, 9),
        (1, 2, 2, 7),
        (2, 2, 1, 5),
    ]


def test_the_cat_in_the_hat_by_hand():
    # Pre-tokens: the | cat | in | the | hat, a space before each but the first.
    # (h,e) 2, (t,h) 2, (a,t) 2 tie; (t,h) is seen first.
    steps = list(train("the cat in the hat", "minbpe", num_merges=2))
    assert [(s.token, s.count, s.tied, s.token_total) for s in steps] == [
        (b"th", 2, 3, 16),
        (b"the", 2, 2, 14),
    ]


def test_the_tie_rule_decides_among_equal_counts():
    text = "the cat in the hat"
    first = {name: next(train(text, name)).token for name in ("minbpe", "rustbpe")}
    assert first == {"minbpe": b"th", "rustbpe": b"at"}
    # subword-nmt takes the greatest pair: ("t", "h") beats ("h", "e</w>") and ("a", "t</w>").
    assert next(train(text, "subword-nmt")).token == b"th"
    # huggingface: ids follow the GPT-2 characters, and a comes before h and t.
    assert next(train(text, "huggingface")).token == b"at"


def test_sentencepiece_makes_the_shortest_of_equally_frequent_tokens():
    # The words are the | ▁cat | ▁in | ▁the | ▁hat: a+t, h+e, t+h twice each, and "at" is first of the three.
    # Later all are seen once: "in" and "▁c" before "▁in", "▁cat"; ▁ (U+2581) comes after every letter.
    tokens = [s.token.decode().replace(" ", "▁") for s in train("the cat in the hat", "sentencepiece")]
    assert tokens == ["at", "he", "the", "in", "▁c", "▁h", "▁in", "▁cat", "▁hat", "▁the"]


def test_sentencepiece_makes_no_token_of_more_than_sixteen_characters():
    trainer = Trainer(Corpus.from_text("é" * 32 + " 日日", "sentencepiece"), "sentencepiece")
    assert [len(step.token.decode()) for step in trainer.steps()] == [2, 4, 8, 16, 2, 3]
    assert trainer.stop_reason == "No pair is left: any two neighbours together have more than 16 characters."
    longest = trainer.merges[3][1]
    assert trainer.token_bytes(longest) == "é".encode() * 16
    with pytest.raises(TrainingSettingsError, match="does not occur in the corpus"):
        trainer.step((longest, longest))
    assert trainer.history().pair_counts(4)["count"].tolist() == [1, 1]  # of ▁日日


def test_aaa_holds_the_pair_twice_but_is_merged_once():
    (step,) = train("aaa", "minbpe-basic", num_merges=1)
    assert (step.count, step.token_total) == (2, 2)


def test_a_run_is_merged_from_the_left_without_overlap():
    trainer = Trainer(Corpus.from_text("aaaaa", "none"), "minbpe-basic")
    assert [(s.token, s.count) for s in trainer.steps()] == [(b"aa", 4), (b"aaaa", 1), (b"aaaaa", 1)]


def test_in_abab_two_occurrences_share_one_gap():
    trainer = Trainer(Corpus.from_text("abab", "none"), "minbpe-basic")
    step = trainer.step()
    assert (step.token, step.count) == (b"ab", 2)
    assert trainer.top_pairs(5) == [((256, 256), 1)]


def test_no_merge_crosses_a_pre_token():
    tokens = [s.token for s in train("ab ab ab", "minbpe")]
    assert tokens == [b"ab", b" ab"]


def test_no_merge_crosses_from_one_text_to_the_next():
    trainer = Trainer(Corpus.from_texts(["a", "b", "a", "b"], "none"), "minbpe-basic")
    assert list(trainer.steps()) == []


def test_a_repeated_pre_token_counts_each_time():
    trainer = Trainer(Corpus.from_counts({"ab": 3, "cd": 2, "ac": 2}), "minbpe")
    assert [(s.token, s.count, s.tied, s.token_total) for s in trainer.steps()] == [
        (b"ab", 3, 1, 11),
        (b"cd", 2, 2, 9),
        (b"ac", 2, 1, 7),
    ]


def test_a_merge_that_spells_a_special_token_makes_that_token():
    # With bytes, no other two tokens have the same bytes: merges inside a token depend only on its bytes.
    for name, grown in (("huggingface", 0), ("course", 1)):
        trainer = Trainer(Corpus.from_text("abab abab"), name, special_tokens=["ab"])
        size = trainer.current_vocab_size
        assert trainer.step().token_id == 0
        assert trainer.current_vocab_size == size + grown
        assert trainer.step().token_id == size


def test_a_recipe_without_merges_alike_makes_a_new_token():
    apart = replace(RECIPES["huggingface"], merges_alike=False)
    trainer = Trainer(Corpus.from_text("abab abab"), apart, special_tokens=["ab"])
    assert trainer.step().token_id == 257


def test_subword_nmt_takes_a_written_end_of_word_for_one():
    # In "a</w>x" the merges a+<, a<+/, … spell a</w>, which is also the only symbol of the word "a".
    trainer = Trainer(Corpus.from_counts({"a</w>x": 1, "a": 1}, "whitespace"), "subword-nmt")
    ids = {symbol: i for i, symbol in enumerate(trainer.base.symbols)}
    token_id = ids[b"a"]
    for right in (b"<", b"/", b"w", b">"):
        token_id = trainer.step((token_id, ids[right])).token_id
    assert token_id == ids[b"a</w>"]


# --- against brute force -------------------------------------------------------------------------------


@EVERY_RECIPE
@given(texts=TIGHT_TEXTS)
def test_every_merge_equals_brute_force(recipe, texts):
    corpus = corpus_for(recipe, texts)
    trainer = Trainer(corpus, recipe, num_merges=MERGES)
    brute = BruteForceTrainer(corpus, recipe)
    assert trainer.token_total == brute.token_total
    assert list(trainer.steps()) == brute.steps(MERGES)
    assert trainer.merges == brute.merges
    assert trainer.token_total == brute.token_total


@pytest.mark.parametrize("longest", [1, 2, 3, 5, 8])
@given(texts=TIGHT_TEXTS)
def test_a_longest_token_equals_brute_force(longest, texts):
    """Also checks that no two pairs make the same bytes, so SentencePiece's rule for them never matters."""
    recipe = replace(RECIPES["sentencepiece"], max_token_length=longest)
    corpus = corpus_for(recipe, texts)
    trainer, brute = Trainer(corpus, recipe), BruteForceTrainer(corpus, recipe)
    while True:
        pairs = brute.pairs()
        spelled = [brute.tokens[left] + brute.tokens[right] for (left, right), _ in pairs]
        assert len(set(spelled)) == len(spelled)
        assert not set(spelled) & set(brute.tokens)
        assert all_pairs(trainer) == pairs
        step = trainer.step()
        assert step == brute.step()
        if step is None:
            break
        assert len(step.token.decode()) <= longest


@pytest.mark.parametrize("alike", [True, False])
@pytest.mark.parametrize(
    "name", ["course", "huggingface", "tiktoken-educational", "llms-from-scratch-simple"]
)
@given(texts=TIGHT_TEXTS, special_tokens=st.sets(st.sampled_from(["ab", "aa", "aab", " a", "é"])))
def test_special_tokens_that_the_text_spells_equal_brute_force(name, alike, texts, special_tokens):
    recipe = replace(RECIPES[name], merges_alike=alike)
    names = sorted(special_tokens)
    corpus = corpus_for(recipe, texts)
    trainer = Trainer(corpus, recipe, num_merges=MERGES, special_tokens=names)
    brute = BruteForceTrainer(corpus, recipe, special_tokens=names)
    assert list(trainer.steps()) == brute.steps(MERGES)
    assert all_pairs(trainer) == brute.pairs()


@pytest.mark.parametrize("tie", ["first-seen", "smallest-ids", "greatest-tokens"])
@given(text=END_OF_WORD_TEXT)
# A pair loses one place and gains one further left: the same count, but it comes sooner in the order.
@example(text="</w>a</w>aaaaa</w>a")
# A pair whose first place was merged appears again before it.
@example(text="b</w>b</w></w>a</w>b</w>a a</w>a")
def test_words_that_spell_an_end_of_word_equal_brute_force(tie, text):
    """A pair that was used up or moved right may appear again, even further left."""
    recipe = replace(RECIPES["subword-nmt"], tie=tie, min_frequency=1)
    corpus = corpus_for(recipe, [text])
    trainer, brute = Trainer(corpus, recipe), BruteForceTrainer(corpus, recipe)
    while (step := trainer.step()) is not None:
        assert step == brute.step()
        assert all_pairs(trainer) == brute.pairs()
    assert brute.step() is None


@pytest.mark.parametrize("name", ["minbpe", "huggingface", "subword-nmt"])
def test_a_corpus_with_hundreds_of_positions_equals_brute_force(name):
    """Long enough for whole-array steps and, later, for the walk."""
    text = "abab aab abc bca " * 120 + "ab" * 400 + "a" * 700 + " baab" * 90
    corpus = Corpus.from_text(text, "none")
    trainer = Trainer(corpus, name, num_merges=30)
    assert list(trainer.steps()) == BruteForceTrainer(corpus, RECIPES[name]).steps(30)


@given(text=TIGHT_TEXT, vocab_size=st.integers(256, 280))
def test_tiktoken_educational_learns_the_tokens_of_tiktoken(text, vocab_size):
    recipe = RECIPES["tiktoken-educational"]
    trainer = Trainer(corpus_for(recipe, [text]), recipe, vocab_size=vocab_size)
    learned = [s.token for s in trainer.steps()]
    # tiktoken fails if the pairs run out, so ask for no more than there are
    pattern = SPLIT_PATTERNS[recipe.split].regex
    theirs = bpe_train(text, 256 + len(learned), pattern, visualise=None)
    assert learned == list(theirs)[256:]


# --- pairs that are given ------------------------------------------------------------------------------


def test_a_given_pair_is_merged_though_another_is_more_frequent():
    trainer = Trainer(Corpus.from_text("aaabdaaabac", "none"), "minbpe-basic", num_merges=0)
    step = trainer.step((ord("b"), ord("d")))
    assert (step.token, step.count, step.tied, step.rank) == (b"bd", 1, 4, 0)


@pytest.mark.parametrize("pair", [(98, 98), (256, 97), (-1, 97), (97, 10**12)])
def test_a_given_pair_that_does_not_occur_is_refused(pair):
    trainer = Trainer(Corpus.from_text("abc", "none"), "minbpe-basic")
    before = all_pairs(trainer)
    with pytest.raises(TrainingSettingsError, match="does not occur in the corpus") as caught:
        trainer.step(pair)
    assert str(pair) in str(caught.value)
    assert (all_pairs(trainer), trainer.merges, trainer.token_total) == (before, [], 3)


def test_a_pair_that_was_merged_away_is_refused():
    trainer = Trainer(Corpus.from_text("abab", "none"), "minbpe-basic")
    trainer.step((97, 98))
    with pytest.raises(TrainingSettingsError, match="does not occur in the corpus"):
        trainer.step((98, 97))


# --- stopping ------------------------------------------------------------------------------------------


ONCE = "The most frequent pair occurs once, fewer than the minimum frequency of 2."
TWICE = "The most frequent pair occurs 2 times, fewer than the minimum frequency of 1,000."


def stop_reason(text: str, name: str = "minbpe", **settings) -> tuple[int, str | None]:
    trainer = Trainer(Corpus.from_text(text, RECIPES[name].split), name, **settings)
    return len(list(trainer.steps())), trainer.stop_reason


@pytest.mark.parametrize(
    ("text", "name", "settings", "merges", "reason"),
    [
        ("abab abab", "minbpe", {"num_merges": 2}, 2, "Reached the requested 2 merges."),
        ("abab abab", "minbpe", {"num_merges": 0}, 0, "Reached the requested 0 merges."),
        (
            "abab abab",
            "minbpe",
            {"vocab_size": 258},
            2,
            "The vocabulary reached the requested 258 tokens.",
        ),
        ("ab ab cd", "minbpe-basic", {"min_frequency": 2}, 2, ONCE),
        ("ab ab cd", "minbpe-basic", {"min_frequency": 1_000}, 0, TWICE),
        ("ab ab cd", "subword-nmt", {}, 1, ONCE),
    ],
)
def test_training_stops_at_each_limit(text, name, settings, merges, reason):
    assert stop_reason(text, name, **settings) == (merges, reason)


@EVERY_RECIPE
def test_training_stops_when_no_pair_is_left(recipe):
    assert stop_reason("aa aa aa", recipe.name)[1] == "No pair is left: every pre-token is a single token."


@EVERY_RECIPE
def test_training_on_nothing_stops_and_says_so(recipe):
    trainer = Trainer(Corpus.from_texts([], recipe.split), recipe)
    assert list(trainer.steps()) == []
    assert trainer.stop_reason == "The corpus is empty: there is nothing to learn from."
    assert trainer.top_pairs(3) == []
    assert trainer.tokenizer().encode("") == []
    assert trainer.history().token_total(0) == 0


def test_there_is_no_stop_reason_before_the_end():
    trainer = Trainer(Corpus.from_text("abab", "none"), "minbpe-basic", num_merges=2)
    trainer.step()
    assert trainer.stop_reason is None
    trainer.step()
    assert trainer.step() is None
    assert trainer.stop_reason == "Reached the requested 2 merges."


def test_the_generator_of_steps_can_be_left_and_continued():
    trainer = Trainer(Corpus.from_text("aaabdaaabac", "none"), "minbpe-basic", num_merges=3)
    steps = trainer.steps()
    first = next(steps)
    assert len(trainer.merges) == 1  # no merge is made before it is asked for
    second = trainer.step()
    third = next(steps)
    assert [first.token, second.token, third.token] == [b"aa", b"aaa", b"aaab"]
    assert list(steps) == []
    assert list(trainer.steps()) == []


# --- settings ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "culprit"),
    [
        ({"vocab_size": 300, "num_merges": 3}, "vocab_size"),
        ({"vocab_size": 255}, "vocab_size"),
        ({"num_merges": -1}, "num_merges"),
        ({"special_tokens": ["<a>", "<a>"]}, "Special tokens must"),
        ({"special_tokens": [""]}, "Special tokens must"),
        ({"special_tokens": "<s>"}, "special_tokens"),
        ({"num_merges": 1.5}, "num_merges"),
        ({"vocab_size": "500"}, "vocab_size"),
    ],
)
def test_settings_that_are_wrong_or_contradict_each_other_are_refused(settings, culprit):
    with pytest.raises(TrainingSettingsError, match=culprit):
        Trainer(Corpus.from_text("ab"), "minbpe", **settings)


def test_a_vocab_size_must_hold_the_special_tokens_that_come_first():
    corpus = Corpus.from_text("ab")
    with pytest.raises(TrainingSettingsError, match="at least 258"):
        Trainer(corpus, "huggingface", vocab_size=257, special_tokens=["<a>", "<b>"])
    assert Trainer(corpus, "huggingface", vocab_size=258, special_tokens=["<a>", "<b>"]).step() is None


def test_special_tokens_that_come_last_are_not_counted_in_the_vocab_size():
    trainer = Trainer(Corpus.from_text("abab"), "minbpe", vocab_size=257, special_tokens=["<a>", "<b>"])
    assert len(list(trainer.steps())) == 1
    assert trainer.current_vocab_size == 257
    assert trainer.tokenizer().n_vocab == 259


def test_a_recipe_that_does_not_exist_is_refused():
    with pytest.raises(TrainingSettingsError, match="no recipe named"):
        train("ab", "wordpiece")


@pytest.mark.parametrize(
    ("name", "special_ids", "byte_a", "first_merge"),
    [
        ("huggingface", [0, 1], 66, 258),  # ! is the first of the printable characters, at 2
        ("llms-from-scratch-simple", [257, 258], 97, 259),  # 256 characters and Ġ come before
        ("minbpe", [257, 258], 97, 256),
    ],
)
def test_special_tokens_have_the_ids_that_the_recipe_gives_them(name, special_ids, byte_a, first_merge):
    corpus = Corpus.from_text("ab", RECIPES[name].split)
    trainer = Trainer(corpus, name, special_tokens=["<s>", "</s>"])
    (step,) = trainer.steps()
    tokenizer = trainer.tokenizer()
    assert tokenizer.special_tokens == dict(zip(["<s>", "</s>"], special_ids, strict=True))
    assert tokenizer.after(0).encode("a") == [byte_a]
    assert step.token_id == first_merge
    assert tokenizer.token_bytes(first_merge) == b"ab" == trainer.token_bytes(first_merge)


def test_train_splits_by_the_recipe_unless_split_is_given():
    assert [s.token for s in train("a b", "minbpe")] == [b" b"]
    assert [s.token for s in train("a b", "minbpe", split="none")] == [b"a ", b"a b"]


def test_a_pair_may_be_given_as_a_list():
    trainer = Trainer(Corpus.from_text("abab", "none"), "minbpe-basic")
    assert trainer.step([97, 98]).pair == (97, 98)


def test_a_special_token_without_a_utf8_form_is_refused():
    with pytest.raises(CorpusError, match="half of a surrogate pair"):
        Trainer(Corpus.from_text("abab"), special_tokens=["\ud800"])
