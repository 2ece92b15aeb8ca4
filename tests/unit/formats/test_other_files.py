"""Texts that people take for a tokenizer file: the error says what they are; complete ones are read."""

import base64
import gzip
import json

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from bpeviz.errors import TokenizerFileError
from bpeviz.formats.detect import detect
from bpeviz.formats.reading import read_tokenizer, says_no_split
from bpeviz.formats.storage import DiskFiles
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.in_one_call import train_tokenizer
from tests.support.texts import ANY_TEXT

NAMED = {
    "Git LFS in another order": (
        "version https://git-lfs.github.com/spec/v1\next-0-a b\noid sha256:0\nsize 5\n",
        "pointer of Git LFS",
    ),
    "HTML in capitals": ("\n  <!DOCTYPE HTML PUBLIC>\n<HTML></HTML>", "a web page (HTML)"),
    "HTML without a doctype": ("<html lang=en><body>Sign in", "a web page (HTML)"),
    "XML": (
        "<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>",
        "it is XML, in place of",
    ),
    "JSON of the Hub": (
        '{"error": "Repository not found"}',
        "place of the file: “Repository not found”",
    ),
    "JSON with a number": ('{"error": 404, "message": "Not Found"}', "an answer of a server"),
    "JSON of another server": ('{"detail": "Not authenticated"}', "Log in, ask for access"),
    "a gated model": (
        "Access to model meta-llama/X is restricted. You must have access to it and be authenticated.",
        "“Access to model meta-llama/X is restricted.",
    ),
    "a wrong password": ("Invalid username or password.", "Log in, ask for access"),
    "GitHub's 404": ("404: Not Found", "it begins with “404: Not Found”"),
    "another short text": ("Entry not found", "it begins with “Entry not found”"),
    "RWKV's vocabulary with bytes": ("1 '\\x00' 1\n256 b'\\xff' 1\n257 \" '\" 2\n", "the vocabulary of RWKV"),
    "a list with spaces": ("de 9000\n</s> 88\nla@@ 7\n", "it lists tokens with counts, and no merges"),
    "four letters": ("that 500\nwith 400\nof 30\nthe 7\na 5\n", "it lists tokens with counts, and no merges"),
    "a list of vocabulary by subword-nmt": ("e@@ 12\nn 11\ner@@ 2\n", "vocabularies of subword-nmt"),
    "words and counts with tabs": ("the\t22038615\nbe\t12545825\n", "words and how often they occur"),
    "phrases and counts with tabs": ("of the\t220\nin a\t12\n", "words and how often they occur"),
    "letters and counts with tabs": ("e\t12\nt\t9\n", "words and how often they occur"),
    "shares in place of counts": ("the\t0.053\nbe\t0.02\n", "words and how often they occur"),
    "counts before the words": ("220\tthe\n12\tbe\n", "words and how often they occur"),
    "SentencePiece's .vocab": ("<unk>\t0\n▁the\t-3.4\ns\t-4e-05\n", "a SentencePiece vocabulary"),
    "SentencePiece's .vocab of BPE": ("<unk>\t0\n▁t\t-0\nhe\t-1\n", "a SentencePiece vocabulary"),
    "merges of XLM": ("t h 8000\nth e</w> 700\n", "XLM, FlauBERT or PhoBERT"),
    "minbpe's .vocab": ("[\\u0000] 0\n[ ] 32\n[]] 93\n[a][ ] -> [a ] 256\n", "the .model file beside it"),
}


@pytest.mark.parametrize(("text", "says"), NAMED.values(), ids=NAMED.keys())
def test_what_it_is_is_said(text, says):
    with pytest.raises(TokenizerFileError) as caught:
        read_tokenizer({"tokenizer.json": text.encode()})
    assert says in str(caught.value)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    "text",
    ["1 2\n12 3\n", "1 2\n", "#version: 0.2\nthe 12\n", "IQ== 0\nIg== 1\nYWI= 256\n", "YWFh 3\nYWFh 2\n"],
)
def test_merges_of_digits_and_ranks_are_no_counts(text):
    assert detect("a", text.encode()).format in ("merges", "codes", "tiktoken")


# --- js-tiktoken -------------------------------------------------------------------------------------------

RANKS = [bytes([byte]) for byte in range(256)] + [b"ca", b"cat", b" cat", "é".encode(), b"12"]


def of_js(first: int, per_line: int, pattern: str, special: dict[str, int]) -> bytes:
    starts = range(0, len(RANKS), per_line)
    lines = [
        f"! {first + start} "
        + " ".join(base64.b64encode(t).decode() for t in RANKS[start : start + per_line])
        for start in starts
    ]
    return json.dumps({"pat_str": pattern, "special_tokens": special, "bpe_ranks": "\n".join(lines)}).encode()


@pytest.mark.parametrize(
    ("first", "per_line", "pattern"), [(0, 1000, r"\p{L}+|[^\p{L}]"), (7, 60, r"\w+|\W+")]
)
@given(text=st.one_of(ANY_TEXT, st.text("cat é12<|end|>")))
def test_js_tiktokens_json_encodes_as_tiktoken(first, per_line, pattern, text):
    special = {"<|end|>": first + len(RANKS) + 3} if not first else {"<|end|>": 2}
    encoding = tiktoken.Encoding(
        "x",
        pat_str=pattern,
        mergeable_ranks={t: first + i for i, t in enumerate(RANKS)},
        special_tokens=special,
    )
    tokenizer = read_tokenizer({"a.json": of_js(first, per_line, pattern, special)})
    assert tokenizer.encode(text, allowed_special="all") == encoding.encode(text, allowed_special="all")


@pytest.mark.parametrize("ranks", ["IQ== Ig==", "! x IQ==", "! 0 IQ", "! 99999999999 IQ=="])
def test_damaged_ranks_of_js_tiktoken_are_refused(ranks):
    with pytest.raises(TokenizerFileError):
        read_tokenizer({"a.json": json.dumps({"pat_str": ".", "bpe_ranks": ranks}).encode()})


# --- CLIP, gzip and pairs with @@ ---------------------------------------------------------------------------


def test_clips_own_file_is_read_as_the_pair_that_its_program_makes_of_it():
    text = '"bpe_simple_vocab_16e6.txt#version: 0.2\nc a\nca t</w>\n'
    tokenizer = read_tokenizer({"bpe_simple_vocab_16e6.txt": text.encode()})
    at_the_end = 256 + ord("a") - ord("!")
    assert tokenizer.encode("CAT  xa") == [513, ord("x") - ord("!"), at_the_end]
    assert tokenizer.token_to_id("<|startoftext|>") == 514
    packed = read_tokenizer({"bpe_simple_vocab_16e6.txt.gz": gzip.compress(text.encode())})
    assert packed.vocabulary == tokenizer.vocabulary


def test_files_that_gzip_compressed_are_opened(tmp_path):
    tokenizer = train_tokenizer("the cat in the hat " * 3, "minbpe", num_merges=9)
    for format, name in (
        ("huggingface", "tokenizer.json"),
        ("minbpe", "a.model"),
        ("tiktoken", "cl100k-split.tiktoken"),
    ):
        DiskFiles().save(tokenizer, tmp_path / name, format)
        data = (tmp_path / name).read_bytes()
        middle = len(data) // 2
        for packed in (gzip.compress(data), gzip.compress(data[:middle]) + gzip.compress(data[middle:])):
            (tmp_path / f"{name}.gz").write_bytes(packed)
            assert Tokenizer.load(tmp_path / f"{name}.gz").encode("the hat") == tokenizer.encode("the hat")
        assert not says_no_split({f"{name}.gz": packed[:100]})
        with pytest.raises(TokenizerFileError, match="compressed by gzip, and damaged or cut off"):
            read_tokenizer({"a.gz": packed[:-9]})
    assert says_no_split({"a.gz": gzip.compress((tmp_path / "cl100k-split.tiktoken").read_bytes())})


def test_a_file_that_is_too_large_once_unpacked_is_refused(monkeypatch):
    monkeypatch.setattr("bpeviz.formats.source.MAX_FILE_BYTES", 10_000)
    with pytest.raises(TokenizerFileError, match="it has 10,001 bytes or more"):
        read_tokenizer({"a.json.gz": gzip.compress(b" " * 1_000_000)})


def test_a_pair_that_marks_tokens_inside_words_is_named():
    vocabulary = {"a@@": 0, "b": 1, "b@@": 2, "ab": 3, "__unk__": 4}
    with pytest.raises(TokenizerFileError, match="mark the parts of a word by @@"):
        read_tokenizer(
            {"vocab.json": json.dumps(vocabulary).encode(), "merges.txt": b"#version: 0.2\na b</w>\n"}
        )
