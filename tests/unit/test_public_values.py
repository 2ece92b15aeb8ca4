"""Public values can be copied and pickled, are short to look at, and refuse what they cannot take."""

import copy
import io
import pickle
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer as TheirTokenizer
from tokenizers import models, pre_tokenizers, trainers

import bpeviz
from bpeviz import (
    RECIPES,
    Choice,
    Corpus,
    Tokenizer,
    Trainer,
    compare,
    compare_merges,
    custom_split_pattern,
    load_pretrained,
    steps_with,
    train,
    train_tokenizer,
)
from bpeviz.corpus.count_files import read_counts, write_counts
from bpeviz.errors import (
    CorpusError,
    SplitPatternError,
    TokenizerError,
    TokenizerFileError,
    TrainingSettingsError,
)

TEXT = "the cat in the hat, the cat on the mat; aaab aaaab \n"
EVERY_RECIPE = pytest.mark.parametrize("name", list(RECIPES))
COPIES = pytest.mark.parametrize(
    "copied",
    [
        copy.deepcopy,
        *(
            lambda value, protocol=protocol: pickle.loads(pickle.dumps(value, protocol))
            for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)
        ),
    ],
    ids=["deepcopy", *(f"pickle{n}" for n in range(2, pickle.HIGHEST_PROTOCOL + 1))],
)


def trainer(name: str, **settings) -> Trainer:
    return Trainer(Corpus.from_text(TEXT, RECIPES[name].split), name, **settings)


# --- copies --------------------------------------------------------------------------------------------


@COPIES
@pytest.mark.parametrize("split", ["gpt2", custom_split_pattern(r"\w+|\W+")], ids=["gpt2", "custom"])
def test_a_corpus_is_copied(copied, split):
    corpus = Corpus.from_text(TEXT, split)
    corpus.pre_tokens, corpus.byte_total  # noqa: B018  (both are kept once they were asked for)
    again = copied(corpus)
    assert again == corpus
    assert list(again.counts.items()) == list(corpus.counts.items())
    assert (again.pre_tokens, again.byte_total) == (corpus.pre_tokens, corpus.byte_total)
    with pytest.raises(TypeError):
        again.counts["the"] = 5


@COPIES
@EVERY_RECIPE
def test_a_trainer_is_copied_in_the_middle_of_its_training(copied, name):
    """Both go on alike, and neither hears of the other's merges."""
    original = trainer(name)
    original.step()
    vetoed = original.top_pairs(2)[1][0]
    original.veto(vetoed)
    original.step()
    again = copied(original)
    assert (again.merges, again.token_total) == (original.merges, original.token_total)
    before = original.top_pairs(10**6)
    assert again.top_pairs(10**6) == before
    there = list(again.steps())
    assert original.top_pairs(10**6) == before
    assert list(original.steps()) == there
    assert again.stop_reason == original.stop_reason
    assert (again.result().symbol_gap_ranks == original.result().symbol_gap_ranks).all()
    assert again.tokenizer().vocabulary == original.tokenizer().vocabulary


@COPIES
@EVERY_RECIPE
def test_a_history_and_a_tokenizer_are_copied(copied, name):
    done = trainer(name)
    merges = [step.pair for step in done.steps()]
    history, tokenizer = done.history(), done.tokenizer()
    history.pair_life(merges[0])
    ids = tokenizer.encode(TEXT)
    there, encoder = copied(history), copied(tokenizer)
    assert (there.token_totals == history.token_totals).all()
    assert there.pair_counts(2).equals(history.pair_counts(2))
    assert there.count_changes(1).equals(history.count_changes(1))
    assert there.overlaps(1, merges[1]) == history.overlaps(1, merges[1])
    assert (there.pair_life(merges[2]).counts == history.pair_life(merges[2]).counts).all()
    assert encoder.encode(TEXT) == ids
    assert encoder.vocabulary == tokenizer.vocabulary
    assert (encoder.gap_ranks(TEXT) == tokenizer.gap_ranks(TEXT)).all()


@COPIES
def test_a_pretrained_tokenizer_is_copied_after_it_has_encoded_a_long_text(copied):
    gpt2 = load_pretrained("gpt2").after(1_000)
    text = TEXT * 2_000
    ids = gpt2.encode(text)
    assert copied(gpt2).encode(text) == ids


@COPIES
def test_other_values_are_copied(copied):
    done = trainer("minbpe", num_merges=3)
    steps = list(done.steps())
    tokenizer = done.tokenizer()
    values = [
        steps[0],
        Choice(3, (97, 98), "veto"),
        RECIPES["sentencepiece"],
        custom_split_pattern(r"\w+|\W+"),
        tokenizer.trace(TEXT)[0],
        done.history().overlaps(0, steps[0].pair),
    ]
    assert [copied(value) for value in values] == values
    result = compare(TEXT, tokenizer, load_pretrained("gpt2"))
    assert copied(result).f1 == result.f1
    life = done.history().pair_life(steps[0].pair)
    assert (copied(life).counts == life.counts).all()
    assert copied(done.result()).tokens == done.result().tokens


# --- what they look like -------------------------------------------------------------------------------


def test_values_are_short_to_look_at_however_long_the_text():
    text = " ".join(map(str, range(30_000)))
    long = Trainer(Corpus.from_text(text), num_merges=50)
    list(long.steps())
    tokenizer = long.tokenizer()
    for value in (
        long.corpus,
        long,
        long.history(),
        tokenizer,
        long.result(),
        compare(text, *[tokenizer] * 2),
    ):
        assert type(value).__name__ in repr(value)
        assert len(repr(value)) < 1_000
    assert repr(long.corpus) == "<Corpus: 30,000 distinct pre-tokens, 30,000 in all, split 'gpt2'>"
    assert repr(long) == f"<Trainer: recipe 'huggingface', 50 merges so far, {long.corpus!r}>"
    assert repr(long.history()) == f"<MergeHistory: 50 merges of {long.corpus!r}>"
    assert repr(tokenizer) == "<Tokenizer: 306 tokens, 50 merges, 0 special tokens, split 'gpt2'>"


# --- what they refuse ----------------------------------------------------------------------------------


HUGE = 10**5000  # Python refuses to write it out
AB = Corpus.from_text("ab")
TWO_MERGES = train_tokenizer(TEXT, num_merges=2, special_tokens=["<s>"])


def refuses(error, says, call, *values):
    """The call takes none of these values, and its error says what to give."""
    for value in values:
        with pytest.raises(error, match=says):
            call(value)


@pytest.mark.parametrize("corpus", [TEXT, [TEXT], {"the": 2}, None, b"the", 5])
def test_a_trainer_takes_nothing_but_a_corpus(corpus):
    refuses(TrainingSettingsError, rf"not {type(corpus).__name__}\. .*Corpus\.from_text", Trainer, corpus)


def test_what_is_no_file_of_a_corpus():
    one = ["abc", b"abc", Path("abc"), io.BytesIO(b"abc"), io.StringIO("abc")]
    refuses(CorpusError, r"from_files\(\[file\]\)", Corpus.from_files, *one)
    no_files = [[file] for file in (5, None, b"abc", io.StringIO("abc"))]
    refuses(CorpusError, "Give its path", Corpus.from_files, *no_files)


def test_what_is_no_setting_of_a_training():
    refuses(TrainingSettingsError, "no recipe named", lambda name: train("ab", name), 5, None, ["minbpe"])
    for name in ("num_merges", "vocab_size", "min_frequency", "max_token_length"):
        given = [{name: value} for value in (1.5, "3", True, [3])]
        says = f"^{name} must be a whole number"
        refuses(TrainingSettingsError, says, lambda settings: trainer("minbpe", **settings), *given)
    longest = "max_token_length must be a whole number of 1 or more"
    refuses(TrainingSettingsError, longest, lambda n: trainer("minbpe", max_token_length=n), 0, -1)
    earlier = r"which Trainer\.result returns"
    refuses(TrainingSettingsError, earlier, lambda made: Trainer(AB, made=made), "x", 3, AB)
    refuses(TrainingSettingsError, "takes a Trainer, not", lambda of: steps_with(of, []), "text", None, AB)


def test_what_is_no_number_of_merges_or_pairs():
    done = trainer("minbpe", num_merges=3)
    list(done.steps())
    refuses(TrainingSettingsError, "number from 0 to 3", done.result().after, -1, 4, 1.5, "1", True)
    refuses(TrainingSettingsError, "number from 0 to 2", TWO_MERGES.after, -1, 3, HUGE, 1.0, "1", None, True)
    assert len(TWO_MERGES.after(np.int64(1)).merges) == 1
    pairs = "n must be a whole number of 0 or more"
    refuses(TrainingSettingsError, pairs, done.top_pairs, -1, 1.5, "3", None, True)


def test_what_is_no_token():
    ids = [-1, 256, HUGE, True, 1.0, "1", None]
    refuses(TokenizerError, "no token with id", trainer("minbpe").token_bytes, *ids)
    refuses(TokenizerError, "no token with id …", TWO_MERGES.decode, [HUGE])


def test_allowed_special_is_a_collection():
    """A generator would be empty once the tokens in it were checked, so that none of them were found."""
    wrong = [{"allowed_special": each} for each in (None, 5, b"<s>", (token for token in ["<s>"]))]
    says = "must be a list of special tokens"
    refuses(TokenizerError, says, lambda allowed: TWO_MERGES.encode("a<s>", **allowed), *wrong)


@pytest.mark.parametrize("other", ["gpt2", None, AB], ids=["name", "None", "corpus"])
def test_only_tokenizers_are_compared(other):
    says = "takes two Tokenizers, not"
    refuses(TokenizerError, says, lambda two: compare("a", *two), (TWO_MERGES, other), (other, TWO_MERGES))
    refuses(TokenizerError, says, lambda left: compare_merges(left, TWO_MERGES), other)


@pytest.mark.parametrize("setting", ["num_merges", "min_frequency", "max_token_length"])
def test_a_setting_may_be_a_whole_number_of_numpy(setting):
    theirs, ours = (list(trainer("minbpe", **{setting: kind(3)}).steps()) for kind in (np.int64, int))
    assert theirs == ours


# --- the longest token ---------------------------------------------------------------------------------


@EVERY_RECIPE
@pytest.mark.parametrize("longest", [1, 2, 3, 5])
def test_no_token_is_longer_than_asked_for(name, longest):
    limited = trainer(name, max_token_length=longest)
    made = list(limited.steps())
    most = max(longest - 1, 2) if limited.recipe.length_unit == "bytes" else longest
    assert [step.token for step in made if len(step.token.decode().removesuffix("</w>")) > most] == []
    assert made or most == 1
    assert limited.history().pair_counts(len(made)).empty or limited.min_frequency > 1
    assert list(train(TEXT, name, max_token_length=longest)) == made
    assert RECIPES[name] is not limited.recipe


def test_the_reason_to_stop_names_the_longest_length():
    limited = Trainer(Corpus.from_text("abcabc", "none"), "minbpe-basic", max_token_length=2)
    assert [step.token for step in limited.steps()] == [b"ab"]
    assert "together have more than 2 characters" in limited.stop_reason


def test_a_longest_length_replaces_that_of_sentencepiece():
    text = "a" * 64
    lengths = [
        max(len(step.token) for step in train(text, "sentencepiece", max_token_length=longest))
        for longest in (None, 40, 4)
    ]
    assert lengths == [16, 32, 4]


@pytest.mark.parametrize("longest", [1, 2, 3, 4, 5, 7])
def test_tokenizers_learns_the_same_with_a_longest_token(longest):
    """It counts bytes: é and the hyphen have several."""
    text = TEXT * 3 + "tokenization tokenizers organization\u2014" * 4 + "é-é" * 9
    theirs = TheirTokenizer(models.BPE())
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    theirs.train_from_iterator(
        [text],
        trainers.BpeTrainer(
            vocab_size=500,
            show_progress=False,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            max_token_length=longest,
            special_tokens=[],
        ),
    )
    ours = train_tokenizer(text, "huggingface", max_token_length=longest)
    assert theirs.get_vocab_size() == ours.n_vocab
    assert theirs.encode(text).ids == ours.encode(text)


# --- a tokenizer in one call ---------------------------------------------------------------------------


@EVERY_RECIPE
def test_one_call_trains_a_tokenizer(name):
    done = trainer(name, num_merges=9)
    list(done.steps())
    for texts in (TEXT, [TEXT], iter([TEXT])):
        tokenizer = train_tokenizer(texts, name, num_merges=9)
        assert tokenizer.vocabulary == done.tokenizer().vocabulary
        assert tokenizer.encode(TEXT) == done.tokenizer().encode(TEXT)


def test_one_call_takes_the_settings_of_a_trainer():
    settings = {"special_tokens": ["<s>"], "min_frequency": 2, "max_token_length": 4}
    corpus = Corpus.from_texts([TEXT, "the"], "none")
    done = Trainer(corpus, "minbpe", vocab_size=270, **settings)
    list(done.steps())
    made = train_tokenizer([TEXT, "the"], "minbpe", split="none", vocab_size=270, **settings)
    assert made.vocabulary == done.tokenizer().vocabulary
    assert made.special_tokens == done.tokenizer().special_tokens
    assert made.split == done.corpus.split


@pytest.mark.parametrize(
    ("texts", "settings", "error"),
    [
        (5, {}, CorpusError),
        (None, {}, CorpusError),
        (Corpus.from_text(TEXT), {}, CorpusError),
        (b"the", {}, CorpusError),
        ([TEXT, 5], {}, CorpusError),
        ("\ud800", {}, CorpusError),
        (TEXT, {"recipe": "wordpiece"}, TrainingSettingsError),
        (TEXT, {"split": "gpt5"}, SplitPatternError),
        (TEXT, {"vocab_size": 3}, TrainingSettingsError),
    ],
)
def test_one_call_refuses_what_the_parts_refuse(texts, settings, error):
    with pytest.raises(error):
        train_tokenizer(texts, **settings)


# --- what is not the value that a function takes -----------------------------------------------------------


def test_a_long_special_token_is_unknown_in_short():
    with pytest.raises(TokenizerError, match="has no special token") as caught:
        train_tokenizer(TEXT, num_merges=2).encode("a", allowed_special=["x" * 100_000])
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("name", "why"), [("a\0b", r"holds U\+0000"), ("\ud800", "half of a surrogate pair")]
)
def test_a_name_that_no_file_can_have(name, why):
    tokenizer = train_tokenizer(TEXT, num_merges=2)
    for error, use in (
        (CorpusError, lambda: Corpus.from_files([name])),
        (TokenizerFileError, lambda: Tokenizer.load(name)),
        (TokenizerFileError, lambda: tokenizer.save(name)),
        (CorpusError, lambda: read_counts(f"{name}.csv", "gpt2")),
        (CorpusError, lambda: write_counts(trainer("minbpe").corpus, f"{name}.csv")),
    ):
        with pytest.raises(error, match=why):
            use()


@EVERY_RECIPE
def test_a_shallow_copy_of_a_trainer_goes_on_by_itself(name):
    original = trainer(name)
    original.step()
    before = (list(original.merges), original.token_total, original.top_pairs(100))
    assert copy.copy(original).step() is not None
    assert (original.merges, original.token_total, original.top_pairs(100)) == before


def test_comparisons_are_equal_by_their_values():
    tokenizer = train_tokenizer(TEXT, num_merges=5)
    compared = compare(TEXT, tokenizer, tokenizer.after(3))
    assert copy.deepcopy(compared) == compared
    assert len({compared, copy.deepcopy(compared)}) == 1
    assert compare(TEXT, tokenizer, tokenizer.after(2)) != compared
    assert compared.a != compared.b
    assert compared.a != "tokens"


@EVERY_RECIPE
def test_what_a_trainer_learned_is_short_to_look_at(name):
    learned = trainer(name, special_tokens=["x" * 10_000]).result()
    assert len(repr(learned)) < 1_000
    assert len(repr(learned.base)) < 1_500


# --- arguments of another type or size -------------------------------------------------------------------

LEARNED = Trainer(Corpus.from_text(TEXT), "minbpe", num_merges=5)
list(LEARNED.steps())
HISTORY, TOKENIZER = LEARNED.history(), LEARNED.tokenizer()
#: What a caller may pass by mistake, of which each function takes some.
ODD = [
    None,
    5,
    -1,
    1.5,
    "x",
    b"x",
    "",
    [],
    ["a"],
    (1,),
    (1, 2, 3),
    {"a": 1},
    object(),
    True,
    float("nan"),
    {"x"},
]
CALLS = {
    "from_texts": Corpus.from_texts,
    "from_files": Corpus.from_files,
    "from_counts": Corpus.from_counts,
    "a corpus's split": lambda odd: Corpus.from_text("a", odd),
    "token_total": HISTORY.token_total,
    "pair_counts": HISTORY.pair_counts,
    "count_changes": HISTORY.count_changes,
    "pair_life": HISTORY.pair_life,
    "overlaps": lambda odd: HISTORY.overlaps(1, odd),
    "top_pairs": HISTORY.top_pairs,
    "gap_ranks": HISTORY.gap_ranks,
    "gap_ranks_of": HISTORY.gap_ranks_of,
    "encode": TOKENIZER.encode,
    "encode_batch": TOKENIZER.encode_batch,
    "decode": TOKENIZER.decode,
    "decode_batch": TOKENIZER.decode_batch,
    "merge_rank": TOKENIZER.merge_rank,
    "save": lambda odd: TOKENIZER.save("x.json", odd),
    "load": Tokenizer.load,
    "load_pretrained": load_pretrained,
    "disagreements": compare("the cat", TOKENIZER, TOKENIZER).disagreements,
    "custom_split_pattern": custom_split_pattern,
    "timeout": lambda odd: custom_split_pattern("a|.", timeout=odd),
    "split": lambda odd: bpeviz.split(odd, "gpt2"),
    "cut_at": bpeviz.SPLIT_PATTERNS["gpt2"].cut_at,
    "split_pattern": lambda odd: RECIPES["cs336"].split_pattern(special_tokens=odd),
    "special_tokens": lambda odd: Trainer(Corpus.from_text("a"), special_tokens=odd),
    "metrics": lambda odd: bpeviz.tokenizer_metrics(odd, TOKENIZER),
    "read_counts": lambda odd: read_counts(odd, "gpt2"),
    "write_counts": lambda odd: write_counts(odd, "counts.csv"),
    "a file of counts": lambda odd: write_counts(Corpus.from_text("a"), odd),
}


@pytest.mark.parametrize("name", CALLS)
def test_an_argument_of_another_kind_is_an_answer_or_an_error_that_says_what_to_give(
    name, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    refused = 0
    for odd in ODD:
        try:
            CALLS[name](odd)
        except bpeviz.BpevizError:
            refused += 1
    assert refused
