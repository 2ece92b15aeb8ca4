"""Texts that show which tokens of a vocabulary are reached."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Tokenizer, load_pretrained, train_tokenizer
from bpeviz.analysis.vocabulary import vocabulary_table
from bpeviz.audit.reach import Reach
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.formats.reading import read_tokenizer
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from tests.support.texts import TIGHT_TEXTS
from tests.support.tokenizer_files import as_file, tiny

BASE = ByteVocabulary(bytes(range(256)))
A, B, C = b"abc"


def of_merges(*pairs: tuple[int, int], split: str = "gpt2") -> Tokenizer:
    return Tokenizer(BASE, [(pair, 256 + i) for i, pair in enumerate(pairs)], split=SPLIT_PATTERNS[split])


def test_a_token_of_whole_characters_is_its_own_text() -> None:
    assert Reach(of_merges((A, B))).text_with(256) == "ab"


def test_a_token_that_other_merges_take_apart_has_no_text() -> None:
    tokenizer = of_merges((B, C), (A, B), (257, C))
    reach = Reach(tokenizer)
    assert reach.text_with(258) is None
    assert reach.shown([256, 257, 258]) == {256, 257}


@pytest.mark.parametrize("token", [b"\xe3\x81", b"\x81\x82", b"\x82a", b"a\xf0\x9f", b"\x9f\x98\x80x\xc3"])
def test_bytes_inside_characters_are_completed(token: bytes) -> None:
    tokenizer, made = of_merges(split="none"), token[0]
    pairs = []
    for byte in token[1:]:
        pairs.append((made, byte))
        made = 255 + len(pairs)
    tokenizer = of_merges(*pairs, split="none")
    text = Reach(tokenizer).text_with(tokenizer.n_vocab - 1)
    assert text is not None
    assert token in text.encode()
    assert tokenizer.n_vocab - 1 in tokenizer.encode(text)


def test_a_text_of_characters_that_people_use_is_preferred() -> None:
    text = Reach(load_pretrained("gpt2")).text_with(load_pretrained("gpt2").token_to_id(b"\xa1"))
    assert text is not None
    assert text.isprintable()


def test_a_token_that_the_split_pattern_cuts_alone_is_found_beside_others() -> None:
    # GPT-2's pattern takes "'s" whole only after a letter or alone; "'sa" is cut after the s
    tokenizer = of_merges((ord("'"), ord("s")))
    assert Reach(tokenizer).text_with(256) == "'s"
    cut = of_merges((A, ord("1")))
    assert Reach(cut).text_with(256) is None


def test_a_vocabulary_without_line_ends_is_asked_text_by_text() -> None:
    tokenizer = train_tokenizer("low lower lowest low", "course", num_merges=4)
    ids = [i for i in tokenizer.vocabulary if i not in tokenizer.special_tokens.values()]
    shown = Reach(tokenizer).shown(ids)
    assert set(tokenizer.merge_token_ids) <= shown


@given(texts=TIGHT_TEXTS, recipe=st.sampled_from(sorted(RECIPES)), num_merges=st.integers(1, 12))
def test_no_token_is_both_reached_and_proved_unreachable(
    texts: list[str], recipe: str, num_merges: int
) -> None:
    tokenizer = train_tokenizer("".join(texts) or "a", recipe, num_merges=num_merges)
    table = vocabulary_table(tokenizer)
    ordinary = table[table["kind"] != "special"]
    shown = Reach(tokenizer).shown(ordinary["id"].tolist())
    assert shown.isdisjoint(ordinary["id"][ordinary["unreachable"]])


@pytest.mark.parametrize("name", ["gpt2", pytest.param("cl100k_base", marks=pytest.mark.full)])
def test_each_token_but_13_of_a_byte_level_vocabulary_is_reached(name: str) -> None:
    tokenizer = load_pretrained(name)
    table = vocabulary_table(tokenizer)
    ordinary = table[table["kind"] != "special"]
    missing = set(ordinary["id"]) - Reach(tokenizer).shown(ordinary["id"].tolist())
    assert missing == set(ordinary["id"][ordinary["unreachable"]])
    # C0, C1 and F5 to FF are no bytes of UTF-8
    assert {tokenizer.token_bytes(i)[0] for i in missing} == {0xC0, 0xC1, *range(0xF5, 0x100)}
    assert len(missing) == 13


def test_each_token_of_gpt2_that_cuts_a_character_has_a_short_text() -> None:
    tokenizer = load_pretrained("gpt2")
    table = vocabulary_table(tokenizer)
    reach = Reach(tokenizer)
    ids = table["id"][~table["valid_utf8"] & ~table["unreachable"]].tolist()
    assert len(ids) == 331
    for token_id in ids:
        text = reach.text_with(token_id)
        assert text is not None
        assert len(text) <= 12
        assert token_id in tokenizer.encode(text)


CONSONANTS = {
    "Greek": "αβγδεζηθικλμν",
    "Nepali": "कखगघङचछजझञटठ",
    "Latin": "bcdfghjkl",
    "digits": "0123456789",
}


@pytest.mark.parametrize("letters", CONSONANTS.values(), ids=list(CONSONANTS))
@pytest.mark.parametrize("prefix", ["##", "_", ""])
def test_a_token_that_goes_on_with_a_word_is_found_after_letters_of_its_own_script(
    letters: str, prefix: str
) -> None:
    longer = [prefix + letters[i : i + 2] for i in range(len(letters) - 1)]
    tokens = ["[UNK]", *letters, *(prefix + letter for letter in letters), *longer]
    vocab = {token: i for i, token in enumerate(dict.fromkeys(tokens))}
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": prefix, "vocab": vocab}
    file = tiny({("added_tokens",): [], ("decoder",): None, ("pre_tokenizer",): {"type": "WhitespaceSplit"}})
    tokenizer = read_tokenizer(as_file(file | {"model": model | {"max_input_chars_per_word": 100}}))
    assert Reach(tokenizer).shown(vocab.values()) == {*vocab.values()}


def test_words_stand_before_a_token_if_there_are_no_single_characters() -> None:
    vocab = {"[UNK]": 0, "γειά": 1, "##σου": 2}
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "vocab": vocab}
    file = tiny({("added_tokens",): [], ("decoder",): None, ("pre_tokenizer",): {"type": "Whitespace"}})
    tokenizer = read_tokenizer(as_file(file | {"model": model | {"max_input_chars_per_word": 100}}))
    assert Reach(tokenizer).text_with(2) == "γειάσου"


@pytest.mark.parametrize(
    ("text", "ignores_merges", "reached"),
    [("<0xC0>", True, True), ("<0xFF>", True, True), ("<0x61>", True, True), ("<0xC0>", False, False)],
)
def test_a_byte_token_is_reached_by_its_own_text_if_pre_tokens_are_looked_up(
    text: str, ignores_merges: bool, reached: bool
) -> None:
    vocab = {token: i for i, token in enumerate(["a", "b", *(f"<0x{byte:02X}>" for byte in range(256))])}
    model = {"vocab": vocab, "merges": [], "byte_fallback": True, "ignore_merges": ignores_merges}
    file = tiny({("added_tokens",): [], ("decoder",): None, ("pre_tokenizer",): {"type": "WhitespaceSplit"}})
    file["model"] |= model
    tokenizer = read_tokenizer(as_file(file))
    table = vocabulary_table(tokenizer)
    assert (vocab[text] in tokenizer.encode(text)) == reached
    assert (Reach(tokenizer).text_with(vocab[text]) == text) == reached
    assert (not table["unreachable"][vocab[text]]) == reached
