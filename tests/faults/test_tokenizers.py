"""Tokenizer files with which a library needs all memory or time, for loading or for a text."""

import json
from typing import Any

import pytest

from bpeviz.ui.kit.tokenizer_sources import YOUR_FILE
from tests.faults.inputs import Input, open_input
from tests.faults.measure import Stage, Target

#: The fields for tokenizer files and for a text.
BROUGHT, TEXT = "brought", "compare_typed"
LAM, LIGATURE = "\u0644", "\ufdfa"  # NFKC of the ligature is 18 characters, 5 of them this letter
BPE = {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]}
WORDS = {"type": "WordLevel", "vocab": {"a": 0, "b": 1, "ab": 2}, "unk_token": "a"}
PIECES = {
    "type": "Unigram",
    "unk_id": 0,
    "vocab": [["<unk>", -20.0], *(["a" * n, -float(n)] for n in range(1, 600))],
}
SUFFIXES = {
    "type": "WordPiece",
    "unk_token": "[UNK]",
    "continuing_subword_prefix": "##",
    "max_input_chars_per_word": 1000,
    "vocab": {"[UNK]": 0, "a": 1, "##a": 2},
}


def replaced(old: str, new: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": {"String": old}, "content": new}


def sequence(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Sequence", "normalizers": list(steps)}


def file(model: dict[str, Any], added: tuple[str, ...] = (), **parts: Any) -> bytes:
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": True, "special": False}
    tokens = [{"id": 3 + i, "content": token, **flags} for i, token in enumerate(added)]
    return json.dumps({"version": "1.0", "added_tokens": tokens, "model": model, **parts}).encode()


GROWS = sequence(*[replaced(LAM, LIGATURE), {"type": "NFKC"}] * 6)
STRIP = {"type": "Strip", "strip_left": True, "strip_right": True}
BERT = {
    "type": "BertNormalizer",
    "clean_text": True,
    "handle_chinese_chars": True,
    "strip_accents": True,
    "lowercase": True,
}
#: Each file, and a text that it needs, if loading isn't enough.
FILES: dict[str, tuple[bytes, str]] = {
    "an added token that Strip makes empty": (file(BPE, ("  ", "abc"), normalizer=STRIP), ""),
    "the same of words": (file(WORDS, ("  ", "abc"), normalizer=STRIP), ""),
    "one that Replace makes empty": (file(BPE, ("x", "abc"), normalizer=replaced("x", "")), ""),
    "one that StripAccents makes empty": (
        file(BPE, ("\u0301", "abc"), normalizer=sequence({"type": "NFD"}, {"type": "StripAccents"})),
        "",
    ),
    "one that Nmt makes empty": (file(BPE, ("\u200b", "abc"), normalizer={"type": "Nmt"}), ""),
    "one that BertNormalizer makes empty": (file(BPE, ("\u0301", "abc"), normalizer=BERT), ""),
    "an added token that grows": (file(BPE, (LAM * 1000,), normalizer=GROWS), ""),
    "a text that grows": (file(BPE, normalizer=GROWS), LAM * 20_000),
    "a text that Prepend makes longer": (
        file(BPE, normalizer=sequence(*[{"type": "Prepend", "prepend": "a" * 100_000}] * 100)),
        "a",
    ),
    "many pieces": (file(PIECES), "a" * 900_000),
    "long words": (file(SUFFIXES, pre_tokenizer={"type": "WhitespaceSplit"}), ("a" * 1000 + " ") * 900),
    "a regex that goes back": (
        file(BPE, normalizer={"type": "Replace", "pattern": {"Regex": "(a+)+$"}, "content": ""}),
        "a" * 40 + "b",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_takes_all_memory_or_time_takes_none_from_others(
    stage: Stage, inputs: dict[str, Input], name: str
) -> None:
    data, text = FILES[name]
    query: list[str] = []

    async def attack(target: Target) -> None:
        async with target.attacker() as visitor:
            widget = await open_input(visitor, inputs[BROUGHT])
            assert widget is not None
            target.says("uploads the file")
            await visitor.upload(widget, {f"{name}.json": data})
            await visitor.go("compare")
            await _choose(visitor, f"{name}.json")
            if text and (field := await open_input(visitor, inputs[TEXT])):
                target.says("types the text")
                await visitor.set(field, text)
            query.append(visitor.query)
        target.says("opens the session again")
        async with target.attacker(query[0]) as again:
            await again.go("compare", query[0])

    stage.expect_no_harm(attack)


async def _choose(visitor: Any, name: str) -> None:
    """Put an uploaded tokenizer on a side of Compare, if the page has taken it."""
    for key, widget in list(visitor.widgets.items()):
        if key.startswith("side-") and f"{name}{YOUR_FILE}" in widget.message.options:
            await visitor.set(key, f"{name}{YOUR_FILE}")
            return
