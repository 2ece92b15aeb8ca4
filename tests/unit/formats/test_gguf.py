"""The tokenizer in the header of a GGUF file."""

import io
import json
import struct
from contextlib import suppress
from functools import cache

import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st
from sentencepiece import sentencepiece_model_pb2
from tokenizers import Tokenizer as Library

from bpeviz.errors import TokenizerFileError
from bpeviz.formats.reading import read_tokenizer, says_no_split
from bpeviz.formats.writing import write_tokenizer
from bpeviz.text.split_patterns import get_split_pattern
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.in_one_call import train_tokenizer
from tests.support.texts import ANY_TEXT

TEXT = "the cat in the hat 1234 don't DON'T the\n\nend of 日本 it's 99 "
TEXTS = st.one_of(ANY_TEXT, st.text("the cat1234'sSD\n日", max_size=40))


def written(values: dict[str, object], *, version: int = 3, order: str = "<") -> bytes:
    """A GGUF file: its header, and some bytes of weights."""

    def text(value: str) -> bytes:
        return struct.pack(f"{order}Q", len(value.encode())) + value.encode()

    def item(value: object) -> tuple[int, bytes]:
        match value:
            case bool():
                return 7, struct.pack("?", value)
            case int():
                return 5, struct.pack(f"{order}i", value)
            case float():
                return 6, struct.pack(f"{order}f", value)
            case bytes():
                return 9, struct.pack(f"{order}IQ", 0, len(value)) + value
            case list():
                kind = item(value[0])[0] if value else 8
                items = b"".join(item(each)[1] for each in value)
                return 9, struct.pack(f"{order}IQ", kind, len(value)) + items
        return 8, text(str(value))

    parts = [b"GGUF", struct.pack(f"{order}IQQ", version, 0, len(values))]
    for key, value in values.items():
        kind, data = item(value)
        parts += [text(key), struct.pack(f"{order}I", kind), data]
    return b"".join(parts) + bytes(64)


def named(**values: object) -> dict[str, object]:
    return {"general.name": "x", **{f"tokenizer.ggml.{key}": value for key, value in values.items()}}


@cache
def learned() -> dict[str, object]:
    """A trained tokenizer.json."""
    tokenizer = train_tokenizer(TEXT * 3, "huggingface", num_merges=30)
    return json.loads(write_tokenizer(tokenizer, "huggingface")["tokenizer.json"])


def of_bytes(pre: str | None, **more: object) -> dict[str, object]:
    model = learned()["model"]
    ids = {**model["vocab"], "<|end|>": len(model["vocab"]), "[PAD1]": len(model["vocab"]) + 1}
    tokens = sorted(ids, key=ids.__getitem__)
    types = [{"<|end|>": 3, "[PAD1]": 5}.get(token, 1) for token in tokens]
    merges = [" ".join(merge) for merge in model["merges"]]
    name = {} if pre is None else {"pre": pre}
    return named(model="gpt2", **name, tokens=tokens, token_type=types, merges=merges, **more)


@pytest.mark.parametrize(
    ("pre", "split"),
    [
        ("gpt-2", "gpt2"),
        ("qwen2", "qwen2"),
        ("llama-bpe", "llama3"),
        ("pixtral", "llama3"),
        ("gpt-4o", "o200k"),
        ("tekken", "tekken"),
    ],
)
@given(text=TEXTS)
def test_a_file_of_bytes_has_the_ids_of_its_merges_and_the_named_split(pre, split, text):
    tokenizer = read_tokenizer({"x.gguf": written(of_bytes(pre))})
    expected = [i for part in get_split_pattern(split).split(text) for i in read_json().encode(part) if part]
    assert tokenizer.encode(text) == expected
    assert tokenizer.encode("<|end|>", allowed_special="all") == [tokenizer.token_to_id("<|end|>")]
    assert tokenizer.token_to_id("[PAD1]") is None


@cache
def read_json() -> Tokenizer:
    """The same merges on one pre-token: nothing splits."""
    values = learned() | {"added_tokens": []}
    values["pre_tokenizer"] = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}
    return read_tokenizer({"tokenizer.json": json.dumps(values).encode()})


@given(text=TEXTS)
def test_digits_are_alone_where_the_split_says_so(text):
    values = learned() | {"added_tokens": []}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True, "trim_offsets": True}
    digits = {"type": "Digits", "individual_digits": True}
    values["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [digits, byte_level]}
    library = Library.from_str(json.dumps(values))
    tokenizer = read_tokenizer({"x.gguf": written(of_bytes("smollm"))})
    assert tokenizer.encode(text) == library.encode(text).ids


@cache
def model(model_type: str) -> tuple[bytes, dict[str, object]]:
    """A SentencePiece model, and what a GGUF file has of it."""
    target = io.BytesIO()
    name = "identity" if model_type == "bpe" else "nmt_nfkc"
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([TEXT.replace("\n", " "), "Ａ ﬁ é lower newest"] * 9),
        model_writer=target,
        vocab_size=350,
        model_type=model_type,
        byte_fallback=True,
        normalization_rule_name=name,
        remove_extra_whitespaces=model_type != "bpe",
        hard_vocab_limit=False,
        minloglevel=2,
    )
    data = target.getvalue()
    proto = sentencepiece_model_pb2.ModelProto.FromString(data)
    values = named(
        model="llama" if model_type == "bpe" else "t5",
        tokens=[piece.piece for piece in proto.pieces],
        scores=[piece.score for piece in proto.pieces],
        token_type=[piece.type for piece in proto.pieces],
        add_space_prefix=True,
        precompiled_charsmap=proto.normalizer_spec.precompiled_charsmap,
    )
    return data, values


@pytest.mark.parametrize("model_type", ["bpe", "unigram"])
@given(text=TEXTS.map(lambda text: text.replace("\n", "").replace("\0", "").replace("\x1f", "")))
def test_a_file_of_pieces_has_the_ids_of_its_model(model_type, text):
    data, values = model(model_type)
    tokenizer = read_tokenizer({"x.gguf": written(values)})
    assert tokenizer.encode(text) == read_tokenizer({"x.model": data}).encode(text)
    assert tokenizer.encode("</s>", allowed_special="all") == [2]


RUNS = ["▁▁", "▁▁▁▁", "▁x▁", "\t\t"]


@cache
def model_with_runs(model_type: str) -> bytes:
    target = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["def f(x):", "    return  x", "the cat  in the hat", "        deep"] * 20),
        model_writer=target,
        vocab_size=330,
        model_type=model_type,
        byte_fallback=True,
        normalization_rule_name="identity",
        remove_extra_whitespaces=False,
        add_dummy_prefix=False,
        user_defined_symbols=RUNS,
        hard_vocab_limit=False,
        minloglevel=3,
    )
    return target.getvalue()


def as_llama_cpp_writes(data: bytes) -> dict[str, list]:
    """The tokens, types and scores of a model: user-defined tokens have spaces, all others ▁."""
    pieces = sentencepiece_model_pb2.ModelProto.FromString(data).pieces
    tokens = [p.piece.replace("▁", " ") if p.type == p.USER_DEFINED else p.piece for p in pieces]
    return {"tokens": tokens, "token_type": [p.type for p in pieces], "scores": [p.score for p in pieces]}


@pytest.mark.parametrize("model_type", ["bpe", "unigram"])
@pytest.mark.parametrize("text", ["    return  x", "a  b   c     d", " x  x x ", "\t\t\tdeep", "the x cat"])
def test_user_defined_pieces_have_bare_spaces(model_type: str, text: str) -> None:
    data = model_with_runs(model_type)
    kind = {"bpe": "llama", "unigram": "t5"}[model_type]
    settings = {"add_space_prefix": False, "remove_extra_whitespaces": False}
    tokenizer = read_tokenizer(
        {"x.gguf": written(named(model=kind, **as_llama_cpp_writes(data), **settings))}
    )
    library = sentencepiece.SentencePieceProcessor(model_proto=data)
    assert tokenizer.encode(text) == library.encode(text)
    assert tokenizer.decode(tokenizer.encode(text)) == text


@pytest.mark.parametrize(
    ("more", "types", "unknown_id", "found"),
    [
        (["[PAD1]", "[PAD2]"], [2, 2], None, "[PAD2]"),  # Phi-3
        (["", "[PAD2]"], [1, 2], 0, "[PAD2]"),
        (["", "[PAD2]"], [5, 3], 0, "[PAD2]"),
        (["", "<x>"], [2, 2], 0, "<x>"),
        (["", "<x>"], [4, 9], 7, None),
    ],
)
def test_several_unknown_tokens_and_empty_pieces_are_read(
    more: list[str], types: list[int], unknown_id: int | None, found: str | None
) -> None:
    data = model_with_runs("bpe")
    lists = as_llama_cpp_writes(data)
    size = len(lists["tokens"])
    named_id = {} if unknown_id is None else {"unknown_token_id": unknown_id}
    values = named(
        model="llama",
        tokens=lists["tokens"] + more,
        token_type=lists["token_type"] + types,
        scores=lists["scores"] + [-1000.0] * len(more),
        add_space_prefix=False,
        **named_id,
    )
    tokenizer = read_tokenizer({"x.gguf": written(values)})
    library = sentencepiece.SentencePieceProcessor(model_proto=data)
    text = "the cat  in the hat ü 日"
    assert tokenizer.encode(text) == library.encode(text)
    if found is not None:
        assert tokenizer.encode(found, allowed_special="all") == [size + more.index(found)]


def test_older_versions_and_the_other_order_of_bytes_are_read():
    ids = read_tokenizer({"x": written(of_bytes("gpt-2"))}).encode(TEXT)
    for settings in ({"version": 2}, {"order": ">"}):
        assert read_tokenizer({"x": written(of_bytes("gpt-2"), **settings)}).encode(TEXT) == ids


def test_a_tokenizer_json_inside_is_read():
    inside = json.dumps(learned())
    tokenizer = read_tokenizer({"x": written({"tokenizer.huggingface.json": inside})})
    assert tokenizer.encode(TEXT) == read_tokenizer({"tokenizer.json": inside.encode()}).encode(TEXT)


def test_an_unknown_split_is_refused_by_its_name_unless_a_pattern_is_given():
    for pre, says in (("deepseek-v3", "names the split 'deepseek-v3', which"), (None, "names no split")):
        files = {"x.gguf": written(of_bytes(pre))}
        with pytest.raises(TokenizerFileError, match=says):
            read_tokenizer(files)
        given_one = read_tokenizer(files, split="qwen2").encode(TEXT)
        assert given_one == read_tokenizer({"x": written(of_bytes("qwen2"))}).encode(TEXT)
        assert says_no_split({"x.gguf": files["x.gguf"][:400]})


def test_the_page_asks_for_no_split_where_the_file_names_one_or_needs_none():
    pieces = written(named(model="llama", tokens=["<unk>", "a"], token_type=[2, 1]))
    odd = written(named(model="gpt2", pre=["qwen2"], tokens=["a"]))
    for data in (written(of_bytes("qwen2")), written(of_bytes("smollm")), pieces, HEAD, b"GGUF"):
        assert not says_no_split({"x.gguf": data})
    assert says_no_split({"x.gguf": odd})


HEAD = b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"a"
TWICE = named(model="llama", tokens=["<unk>", "a", "a"], token_type=[2, 1, 1])
REFUSED = {
    "no tokenizer": (written({"general.name": "x"}), "a GGUF file without a tokenizer"),
    "BERT": (written(named(model="bert", tokens=["a"])), "a tokenizer of the kind 'bert'"),
    "RWKV": (written(named(model="rwkv", tokens=["a"])), "a tokenizer of the kind 'rwkv'"),
    "version 1": (written(named(), version=1), "of version 1; 2 and 3 can be read"),
    "cut off": (written(of_bytes("gpt-2"))[:500], "damaged or cut off"),
    "only its name": (b"GGUF", "damaged or cut off"),
    "an endless list": (
        HEAD + struct.pack("<IIQ", 9, 8, 2**63),
        "cut off",
    ),
    "lists in lists": (
        HEAD + struct.pack("<IIQI", 9, 9, 1, 9),
        "the type 9, which is not known",
    ),
    "another length": (written(named(model="llama", tokens=["a", "b"], scores=[0.0])), "differ in length"),
    "tokens that are numbers": (written(named(model="gpt2", tokens=[1])), "is no list of str"),
    "a token twice": (
        written(named(model="llama", tokens=["<unk>", "a", "a"], token_type=[2, 1, 1])),
        "has the token 'a' twice",
    ),
    "pieces without an unknown token": (
        written(named(model="llama", tokens=["a", "b"], token_type=[1, 1])),
        "without an unknown token",
    ),
    "not UTF-8": (
        written(named(model="gpt2", tokens=["ab"])).replace(b"ab", b"\xff\xfe"),
        "damaged or cut off",
    ),
}


@pytest.mark.parametrize(("data", "says"), REFUSED.values(), ids=REFUSED.keys())
def test_what_can_not_be_read_is_refused(data, says):
    with pytest.raises(TokenizerFileError) as caught:
        read_tokenizer({"x.gguf": data})
    assert says in str(caught.value)


@given(cut=st.integers(0, 700), changed=st.integers(0, 255))
def test_any_damage_is_an_error_or_another_tokenizer(cut, changed):
    data = bytearray(written(of_bytes("gpt-2")))
    data[cut + 4] = changed
    with suppress(TokenizerFileError):
        assert isinstance(read_tokenizer({"x": bytes(data)}), Tokenizer)
