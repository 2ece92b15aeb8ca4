"""Pairs of files and what is beside them in a model's folder, compared with ``tokenizers``."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Regex, decoders, models, normalizers, pre_tokenizers, trainers

from bpeviz import Tokenizer, custom_split_pattern
from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.errors import TokenizerFileError, TokenizerFileWarning
from bpeviz.formats.oniguruma import NAMED_PATTERNS
from bpeviz.formats.reading import read_tokenizer, says_no_split
from bpeviz.formats.writing import refusal, write_tokenizer
from bpeviz.tokenizer.encoder import BULK_CHARACTERS
from tests.support.tokenizer_files import as_file, pair, tiny

BYTES = {character: i for i, character in enumerate(GPT2_BYTE_CHARACTERS)}
CORPUS = ["A red boat and a red hat, 12 345 boats!\n\n\nself.go(self) é 日本 I'm we're 'tis"] * 4
TEXTS = ("", "a red hat", "A red  boat\n\n and 123 é日本 'tis I'm", " a\tb ", "<mask> red</w>", "xyz ▁ Ġ")
CONFIG = "tokenizer_config.json"


def beside(**settings: object) -> dict[str, bytes]:
    return as_file(settings, CONFIG)


def merges_text(merges: list[tuple[str, str]]) -> str:
    return "#version: 0.2\n" + "".join(f"{left} {right}\n" for left, right in merges)


# --- the model --------------------------------------------------------------------------------------------


def byte_level(vocabulary: dict[str, int], merges: list[tuple[str, str]]) -> tokenizers.Tokenizer:
    library = tokenizers.Tokenizer(models.BPE(vocabulary, merges))
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    library.decoder = decoders.ByteLevel()
    return library


def roberta() -> dict[str, int]:
    """Special tokens first, then bytes by frequency, tokens between them."""
    tokens = ["<s>", "<pad>", "</s>", "<unk>", "e", "t", "th", "h", "the", "Ġ", "Ġthe"]
    ids = {token: i for i, token in enumerate(tokens)}
    for character in reversed(GPT2_BYTE_CHARACTERS):
        ids.setdefault(character, len(ids))
    return ids | {"<mask>": len(ids)}


def test_bytes_may_have_any_ids_and_tokens_that_no_merge_makes_are_known():
    merges = [("t", "h"), ("th", "e"), ("Ġ", "the")]
    ours = read_tokenizer(pair(roberta(), merges_text(merges)), split="gpt2")
    theirs = byte_level(roberta(), merges)
    for text in (*TEXTS, "the the\nthé"):
        assert ours.encode(text) == theirs.encode(text).ids
    assert ours.decode([0, 8]) == theirs.decode([0, 8], skip_special_tokens=False) == "<s>the"
    assert ours.token_to_id("<mask>") == roberta()["<mask>"]
    assert len(ours) == theirs.get_vocab_size() == ours.vocab_sizes[-1]


def test_a_long_text_of_such_bytes_is_merged_as_a_short_one():
    merges = [("t", "h"), ("th", "e"), ("Ġ", "the")]
    ours = read_tokenizer(pair(roberta(), merges_text(merges)), split="gpt2")
    text = "the theme thé\n" * (BULK_CHARACTERS // 10)
    assert ours.encode(text) == ours.encode("the theme thé\n") * (BULK_CHARACTERS // 10)


PARTS = ["Ġ", "ĠĠ", "ĠĠĠ", "ĠĠĠĠ", "a", "b", "ab", "Ġa", "Ġab", "qz"]


@pytest.mark.property
@given(
    st.lists(st.tuples(st.sampled_from(PARTS), st.sampled_from(PARTS)), max_size=8),
    st.text(alphabet=" ab", max_size=20),
)
def test_merges_in_any_order_and_of_any_parts_are_taken_as_in_the_library(merges, text):
    merges = [(left, right) for left, right in merges if left + right in PARTS]
    vocabulary = BYTES | {token: 256 + i for i, token in enumerate(t for t in PARTS if len(t) > 1)}
    ours = read_tokenizer(pair(vocabulary, merges_text(merges)), split="gpt2")
    theirs = tokenizers.ByteLevelBPETokenizer(vocabulary, merges)
    assert ours.encode(text) == theirs.encode(text).ids


def test_merges_of_parts_made_later_have_the_librarys_ids_in_long_texts_and_when_saved():
    vocabulary = {character: i for i, character in enumerate([*GPT2_BYTE_CHARACTERS, "th", "the", "Ġthe"])}
    merges = [("Ġ", "the"), ("th", "e"), ("t", "h")]
    ours = read_tokenizer(pair(vocabulary, merges_text(merges)), split="gpt2")
    text = "the then other the " * (BULK_CHARACTERS // 18)
    expected = byte_level(vocabulary, merges).encode(text).ids
    assert ours.encode(text) == ours.encode_with_gap_ranks(text)[0] == expected
    assert read_tokenizer(write_tokenizer(ours, "huggingface")).encode(text) == expected
    assert read_tokenizer(write_tokenizer(ours, "gpt2")).encode(text) == expected
    assert refusal(ours, "tiktoken")
    assert refusal(ours, "minbpe")


@pytest.mark.parametrize("merges", ["", "\n", "#version: 0.2\n"])
def test_a_pair_may_have_no_merges(merges):
    assert read_tokenizer(pair(BYTES, merges), split="gpt2").encode("ab") == [97, 98]


def test_merges_in_any_order_need_no_heading():
    merges = [("th", "e"), ("t", "h"), ("Ġ", "the")]
    text = merges_text(merges).removeprefix("#version: 0.2\n")
    assert text.startswith("th e\n")
    files = pair(roberta(), text)
    assert (
        read_tokenizer(files, split="gpt2").encode("the the")
        == byte_level(roberta(), merges).encode("the the").ids
    )
    assert says_no_split(files)


# --- the kind of a pair that nothing names ----------------------------------------------------------------


def trained(library: tokenizers.Tokenizer, texts: list[str] = CORPUS, **settings: object) -> dict[str, bytes]:
    """The pair that the library saves after training."""
    trainer = trainers.BpeTrainer(show_progress=False, vocab_size=600, **settings)
    library.train_from_iterator(texts, trainer)
    model = json.loads(library.to_str())["model"]
    return pair(model["vocab"], merges_text([tuple(merge) for merge in model["merges"]]))


def clip() -> tuple[tokenizers.Tokenizer, dict[str, bytes]]:
    library = tokenizers.Tokenizer(models.BPE(unk_token="<|endoftext|>", end_of_word_suffix="</w>"))
    library.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]
    )
    words = Regex(r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+")
    library.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(words, "removed", invert=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    files = trained(
        library,
        special_tokens=["<|startoftext|>", "<|endoftext|>"],
        initial_alphabet=list(GPT2_BYTE_CHARACTERS),
        end_of_word_suffix="</w>",
    )
    return library, files


def of_characters() -> tuple[tokenizers.Tokenizer, dict[str, bytes]]:
    library = tokenizers.Tokenizer(models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"))
    library.normalizer = normalizers.BertNormalizer(lowercase=False)
    library.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return library, trained(library, special_tokens=["<unk>"], end_of_word_suffix="</w>")


def with_spaces_as_marks() -> tuple[tokenizers.Tokenizer, dict[str, bytes]]:
    library = tokenizers.Tokenizer(models.BPE(unk_token="<unk>"))
    library.normalizer = normalizers.NFKC()
    library.pre_tokenizer = pre_tokenizers.Metaspace()
    return library, trained(library, CORPUS[0].splitlines() * 4, special_tokens=["<unk>"])


@pytest.mark.parametrize("made", [clip, of_characters, with_spaces_as_marks])
def test_the_tokens_of_a_pair_show_how_texts_are_split(made: Callable):
    library, files = made()
    ours = read_tokenizer(files)
    for text in TEXTS:
        assert ours.encode(text) == library.encode(text).ids
    assert not says_no_split(files)


def test_no_ids_of_clip_are_an_empty_text():
    assert read_tokenizer(clip()[1]).decode([]) == ""


def test_the_ends_of_words_of_clip_are_spaces_in_the_decoded_text():
    ours = read_tokenizer(clip()[1])
    assert ours.decode(ours.encode("A red boat, é")) == "a red boat , é"


def test_characters_without_any_mark_are_not_a_pair_of_bytes():
    with pytest.raises(TokenizerFileError, match=r"Give the tokenizer\.json of the same tokenizer"):
        read_tokenizer(pair({"中": 0, "文": 1, "中文": 2}, "中 文\n"))


# --- what nothing names -----------------------------------------------------------------------------------

OF_BYTES = pair({"a": 0, "b": 1, "Ġ": 2, "ab": 3, "Ġab": 4}, "#version: 0.2\na b\nĠ ab\n")


def test_a_pair_of_bytes_whose_split_pattern_nothing_names_warns_and_is_split_as_gpt2():
    with pytest.warns(TokenizerFileWarning, match="don't say how texts are split, so GPT-2's"):
        assert read_tokenizer(OF_BYTES).split.name == "gpt2"
    assert says_no_split(OF_BYTES)
    assert read_tokenizer(OF_BYTES, split="none").split.name == "none"


def test_openais_names_say_gpt2():
    files = dict(zip(("encoder.json", "vocab.bpe"), OF_BYTES.values(), strict=True))
    assert read_tokenizer(files).split.name == "gpt2"
    assert not says_no_split(files)


def test_a_class_that_is_not_known_says_nothing():
    files = OF_BYTES | beside(tokenizer_class="FooTokenizer")
    with pytest.warns(TokenizerFileWarning, match="names 'FooTokenizer', which is not known here"):
        read_tokenizer(files)
    assert says_no_split(files)


# --- the folder -------------------------------------------------------------------------------------------


def qwen2() -> tuple[tokenizers.Tokenizer, dict[str, bytes]]:
    library = tokenizers.Tokenizer(models.BPE())
    library.normalizer = normalizers.NFC()
    library.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(NAMED_PATTERNS["qwen2"]), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    return library, trained(library, initial_alphabet=list(GPT2_BYTE_CHARACTERS))


@pytest.mark.parametrize("name", ["Qwen2Tokenizer", "Qwen2TokenizerFast"])
def test_the_class_says_the_split_pattern_and_the_normalizer(name):
    library, files = qwen2()
    files |= beside(tokenizer_class=name)
    ours = read_tokenizer(files)
    for text in (*TEXTS, "self.go(self)\n\n\n e\u0301"):
        assert ours.encode(text) == library.encode(text).ids
    assert not says_no_split(files)


@pytest.mark.parametrize(
    "name", ["GPT2Tokenizer", "RobertaTokenizer", "BartTokenizerFast", "CodeGenTokenizer"]
)
@pytest.mark.parametrize("asked", [True, False, None])
def test_classes_that_split_as_gpt2_may_put_a_space_first(name, asked):
    ours = read_tokenizer(OF_BYTES | beside(tokenizer_class=name, add_prefix_space=asked))
    assert ours.encode("ab ab") == ([4, 4] if asked else [3, 4])


def test_gpt1_writes_in_lower_case():
    _, files = of_characters()
    ours = read_tokenizer(files | beside(tokenizer_class="OpenAIGPTTokenizer"))
    assert ours.encode("A RED hat") == read_tokenizer(files).encode("a red hat")


def test_added_tokens_have_the_ids_of_their_file_and_the_flags_of_theirs():
    mask = {"content": "<mask>", "lstrip": True, "special": True}
    files = OF_BYTES | {
        **beside(tokenizer_class="GPT2Tokenizer", added_tokens_decoder={"7": {"content": "<x>"}}),
        **as_file({"<y>": 6, "<z>": 9}, "added_tokens.json"),
        **as_file({"mask_token": mask, "eos_token": "ab"}, "special_tokens_map.json"),
    }
    ours = read_tokenizer(files)
    assert ours.special_tokens == {"<x>": 7, "<y>": 6, "<z>": 9, "<mask>": 10, "ab": 3}
    assert ours.encode("<x><y>  <mask>b", allowed_special="all") == [7, 6, 10, 1]
    assert ours.decode([7, 9, 3]) == "<x><z>ab"


@pytest.mark.parametrize("extra", [{"image_token": "<image>"}, ["<image>"]])
def test_added_tokens_without_an_id_come_after_those_with_one(extra):
    """As transformers 4.57 numbers them; since 4.49 a file names more of them, and 5 lists them."""
    files = OF_BYTES | {
        **beside(tokenizer_class="GPT2Tokenizer", pad_token="<pad>", extra_special_tokens=extra),
        **as_file({"<x>": 6, "<|y|>": 8}, "added_tokens.json"),
    }
    numbered = {"<x>": 6, "<|y|>": 8, "<pad>": 9, "<image>": 10}
    assert read_tokenizer(files).special_tokens == numbered


def test_an_id_that_is_taken_is_not_given_again():
    files = OF_BYTES | as_file({"<y>": 12, "<z>": 12}, "added_tokens.json")
    with pytest.warns(TokenizerFileWarning):
        assert read_tokenizer(files).special_tokens == {"<y>": 12, "<z>": 13}


@pytest.mark.parametrize("vocabulary", [OF_BYTES["vocab.json"], json.dumps({"a": 0, "Ġ": 1}).encode()])
@pytest.mark.parametrize("merges", [b"", b"#version: 0.2\n", b"a b\n"])
@pytest.mark.parametrize("config", [{}, {"model_max_length": 512}, {"do_lower_case": False}])
def test_the_page_asks_when_python_warns(vocabulary, merges, config):
    """tokenizer_config.json of GPT-2 and of RoBERTa say no more than such a length."""
    files = {"vocab.json": vocabulary, "merges.txt": merges} | beside(**config)
    files |= as_file({}, "added_tokens.json") | as_file({}, "special_tokens_map.json")
    if merges.startswith(b"a") and b"ab" not in vocabulary:
        vocabulary = files["vocab.json"] = json.dumps({"a": 0, "Ġ": 1, "b": 2, "ab": 3}).encode()
    with pytest.warns(TokenizerFileWarning, match="don't say how texts are split"):
        assert read_tokenizer(files).special_tokens == {}
    assert says_no_split(files)


def test_added_tokens_may_repeat_those_of_the_vocabulary():
    files = (
        OF_BYTES | beside(tokenizer_class="GPT2Tokenizer") | as_file({"a": 0, "<x>": 9}, "added_tokens.json")
    )
    assert read_tokenizer(files).special_tokens == {"a": 0, "<x>": 9}


def test_characters_that_end_words_show_the_kind_of_a_pair_whose_merges_dont():
    vocabulary = {"<unk>": 0, "a": 1, "h": 2, "t": 3, "h</w>": 4, "t</w>": 5, "th": 6}
    files = pair(vocabulary, "#version: 0.2\nt h\n")
    assert not says_no_split(files)
    assert read_tokenizer(files).encode("that é") == [6, 1, 5, 0]
    assert read_tokenizer(pair(vocabulary, "")).encode("that") == [3, 2, 1, 5]
    left_over = pair(BYTES | {"th": 256, "a</w>": 257}, "#version: 0.2\nt h\n")
    assert read_tokenizer(left_over, split="gpt2").encode("a</w> th") == [*b"a</w> ", 256]


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"added_tokens_decoder": {"x": "<x>"}}, "a key of added_tokens_decoder is not a token id"),
        ({"added_tokens_decoder": {"7": 7}}, "neither a text nor an object with a content"),
        ({"added_tokens_decoder": []}, "added_tokens_decoder is a list"),
        ({"tokenizer_class": "GPT2Tokenizer", "eos_token": 3}, "neither a text nor an object"),
        ({"tokenizer_class": "GPT2Tokenizer", "eos_token": "\ud800"}, "half of a surrogate pair"),
    ],
)
def test_what_is_wrong_beside_a_pair_is_named_with_its_file(settings, why):
    with pytest.raises(TokenizerFileError, match=why) as caught:
        read_tokenizer(OF_BYTES | beside(**settings))
    assert caught.value.file_name == CONFIG


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("added_tokens.json", {"<|im_start|>": 151644}),
        (CONFIG, {"tokenizer_class": "Qwen2Tokenizer"}),
        ("special_tokens_map.json", {"eos_token": "</s>"}),
    ],
)
def test_a_file_from_beside_a_pair_alone_is_named(name, content):
    with pytest.raises(TokenizerFileError, match=r"of a model.*Give vocab\.json and merges.txt with it"):
        read_tokenizer(as_file(content, name))


def put(folder: Path, files: dict[str, bytes], prefix: str = "") -> Path:
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / f"{prefix}{name}").write_bytes(data)
    return folder


def test_a_folder_is_read_with_what_is_beside_the_pair(tmp_path):
    files = OF_BYTES | beside(tokenizer_class="GPT2Tokenizer", add_prefix_space=True)
    assert Tokenizer.load(put(tmp_path, files)).encode("ab") == [4]


def test_a_pair_with_a_name_before_it(tmp_path):
    folder = put(tmp_path, OF_BYTES, "mine-")
    assert Tokenizer.load(folder, split="gpt2").encode("ab") == [3]


def test_several_paths_are_the_files_of_one_tokenizer(tmp_path):
    folder = put(tmp_path, OF_BYTES)
    paths = [folder / "merges.txt", str(folder / "vocab.json")]
    assert Tokenizer.load(paths, split="gpt2").encode("ab") == [3]
    with pytest.raises(TokenizerFileError, match=r"no\.json: No such file"):
        Tokenizer.load([folder / "merges.txt", folder / "no.json"])


def test_a_folder_with_nothing_but_a_model_file(tmp_path):
    put(tmp_path, {"tokenizer.model": b"minbpe v1\n\n0\n97 98\n"})
    assert Tokenizer.load(tmp_path).encode("ab") == [256]
    put(tmp_path, {"spiece.model": b""})
    with pytest.raises(TokenizerFileError, match=r"tokenizer\.model, or spiece\.model"):
        Tokenizer.load(tmp_path)
    put(tmp_path, as_file(tiny()))
    assert Tokenizer.load(tmp_path).encode("ab ab") == [4, 5]


@pytest.mark.parametrize("name", ["spm.model", "source.spm", "tokenizer.model.v3", "mine.model"])
def test_a_folder_with_one_model_file_of_another_name(tmp_path, name):
    put(tmp_path, {name: b"minbpe v1\n\n0\n97 98\n", "config.json": b"{}"})
    assert Tokenizer.load(tmp_path).encode("ab") == [256]
    put(tmp_path, {"other.spm": b""})
    with pytest.raises(TokenizerFileError, match=r"more than one tokenizer: .*other\.spm"):
        Tokenizer.load(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("vocab.txt", b"[UNK]\nthe\n", "the vocabulary of a WordPiece tokenizer"),
        ("vocab.json", b'{"a": 0}', "Give merges.txt"),
        ("merges.txt", "Ġ t\n".encode(), "Give vocab.json"),
    ],
)
def test_a_folder_with_a_part_of_a_tokenizer_says_what_it_is(tmp_path, name, content, why):
    put(tmp_path, {name: content, "tokenizer_config.json": b"{}"})
    with pytest.raises(TokenizerFileError, match=why):
        Tokenizer.load(tmp_path)


def test_a_split_pattern_that_is_asked_for_is_taken_beside_tokens_that_the_library_has_to_find():
    mask = {"content": "<mask>", "lstrip": True, "special": True}
    files = OF_BYTES | as_file({"mask_token": mask}, "special_tokens_map.json")
    ours = read_tokenizer(files, split="none")
    assert ours.encode("ab ab  <mask>ab", allowed_special="all") == [3, 4, 5, 3]
    assert ours.encode("a b") == [0, 2, 1]
    with pytest.raises(TokenizerFileError, match="the tokenizers library has to split its texts"):
        read_tokenizer(files, split=custom_split_pattern(r"\w+|\W+"))
