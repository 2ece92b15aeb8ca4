"""Mistral's tekken JSON: a tiny file by hand, and damaged ones. tests/parity has the real files."""

import base64
import json
from contextlib import suppress
from typing import Any

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from bpeviz.errors import BpevizError, TokenizerFileError
from bpeviz.formats.reading import read_tokenizer
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from tests.support.tokenizer_files import SINGLE_BYTES

RANKS = {**SINGLE_BYTES, b"ab": 256, b" ab": 257, b"xyz": 258, b"cut off": 259}


def tekken(**changes: Any) -> dict[str, Any]:
    """A file with two listed special tokens of three, and one token more than it uses."""
    whole: dict[str, Any] = {
        "config": {
            "pattern": SPLIT_PATTERNS["tekken"].regex,
            "default_vocab_size": 3 + 259,
            "default_num_special_tokens": 3,
            "version": "v3",
        },
        "vocab": [
            {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
            for token, rank in RANKS.items()
        ],
        "special_tokens": [{"rank": 0, "token_str": "<unk>"}, {"rank": 1, "token_str": "<s>"}],
    }
    whole["config"] |= changes.pop("config", {})
    return whole | changes


def files(whole: object) -> dict[str, bytes]:
    return {"tekken.json": json.dumps(whole).encode()}


def test_special_tokens_have_the_first_ids_and_the_vocabulary_is_cut_off() -> None:
    tokenizer = read_tokenizer(files(tekken()))
    assert tokenizer.special_tokens == {"<unk>": 0, "<s>": 1, "<SPECIAL_2>": 2}
    assert tokenizer.split == SPLIT_PATTERNS["tekken"]
    assert tokenizer.n_vocab == 262
    assert tokenizer.whole_token_ids == {261}
    theirs = tiktoken.Encoding(
        "",
        pat_str=str(tokenizer.split.regex),
        mergeable_ranks={t: r for t, r in RANKS.items() if r < 259},
        special_tokens={},
    )
    for text in ("ab ab xyz xyzz", "cut off", "Ünïcode 123"):
        assert tokenizer.encode(text) == [i + 3 for i in theirs.encode_ordinary(text)]


def test_a_file_that_lists_no_special_tokens_has_the_first_ones_of_mistral() -> None:
    whole = tekken(config={"default_num_special_tokens": 5, "default_vocab_size": 264})
    del whole["special_tokens"]
    names = ["<unk>", "<s>", "</s>", "[INST]", "[/INST]"]
    assert list(read_tokenizer(files(whole)).special_tokens) == names


DAMAGED = {
    "no pattern": (tekken(config={"pattern": None}), "pattern is null"),
    "a vocabulary that is too short": (
        tekken(config={"default_vocab_size": 1000}),
        "asks for 997 tokens, and its vocabulary has 260",
    ),
    "no room for tokens": (tekken(config={"default_vocab_size": 3}), "asks for 0 tokens"),
    "a negative number of special tokens": (
        tekken(config={"default_num_special_tokens": -1}),
        "its number of special tokens is negative",
    ),
    "more special tokens than it says": (
        tekken(special_tokens=[{"rank": i, "token_str": f"<{i}>"} for i in range(4)]),
        "its special tokens don't have the ranks",
    ),
    "special tokens of one rank": (
        tekken(special_tokens=[{"rank": 0, "token_str": "a"}, {"rank": 0, "token_str": "b"}]),
        "its special tokens don't have the ranks",
    ),
    "a token that is no object": (tekken(vocab=[1, *tekken()["vocab"]]), "vocab[0] is a whole number"),
    "a token that is no base64": (
        tekken(vocab=[{"rank": 0, "token_bytes": "*"}, *tekken()["vocab"]]),
        "vocab[0]: its token_bytes are not base64",
    ),
    "a token twice": (
        tekken(vocab=[tekken()["vocab"][0], *tekken()["vocab"]]),
        "its rank or its bytes are those of another token",
    ),
    "other tokens first": (tekken(vocab=tekken()["vocab"][::-1]), "its rank or its bytes are those"),
}


@pytest.mark.parametrize(("whole", "why"), DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_file_says_what_is_wrong(whole: object, why: str) -> None:
    with pytest.raises(TokenizerFileError) as caught:
        read_tokenizer(files(whole))
    assert why in caught.value.why
    assert len(str(caught.value)) < 600


ANYTHING = (
    st.none() | st.booleans() | st.integers(-2, 10**12) | st.text(max_size=5) | st.just([]) | st.just({})
)


@given(key=st.sampled_from(["config", "vocab", "special_tokens"]), value=ANYTHING)
def test_anything_in_place_of_a_part_is_refused_or_read(key: str, value: object) -> None:
    with suppress(BpevizError):
        assert read_tokenizer(files(tekken() | {key: value})).encode("ab")
