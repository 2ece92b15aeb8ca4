"""The recipes: the rules and the base vocabulary of each. test_trainer tests what they learn."""

from dataclasses import FrozenInstanceError, replace

import pytest

from bpeviz import RECIPES, SPLIT_PATTERNS, Corpus, Recipe, Trainer
from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.errors import TrainingSettingsError
from bpeviz.tokenizer.encoding_rules import encoding_rules
from bpeviz.training.recipes import get_recipe

EVERY_RECIPE = pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES.keys())


def base_of(name: str, text: str, special_tokens: tuple[str, ...] = ()):
    recipe = RECIPES[name]
    return recipe.base_vocabulary(Corpus.from_text(text, recipe.split), special_tokens)


RULES = {
    "course": ("gpt2", "first-seen", "first", 1, ("<|endoftext|>",)),
    "minbpe-basic": ("none", "first-seen", "last", 1, ()),
    "minbpe": ("cl100k", "first-seen", "last", 1, ()),
    "tiktoken-educational": ("gpt2", "first-seen", "last", 1, ()),
    "huggingface": ("gpt2", "smallest-ids", "first", 1, ()),
    "cs336": ("gpt2", "greatest-tokens", "after-base", 1, ("<|endoftext|>",)),
    "rustbpe": ("rustbpe", "smallest-ids", "last", 1, ()),
    "llms-from-scratch-simple": ("none", "first-seen", "after-base", 1, ("<|endoftext|>",)),
    "subword-nmt": ("spaces", "greatest-tokens", "last", 2, ()),
    "sentencepiece": ("sentencepiece", "shortest-token", "first", 1, ("<unk>", "<s>", "</s>")),
}


def test_every_trainer_has_its_recipe_and_rules():
    found = {
        name: (r.split, r.tie, r.special_tokens_at, r.min_frequency, r.special_tokens)
        for name, r in RECIPES.items()
    }
    assert list(found.items()) == list(RULES.items())


@EVERY_RECIPE
def test_each_recipe_says_what_it_is(recipe):
    assert RECIPES[recipe.name] is recipe
    assert recipe.split in SPLIT_PATTERNS
    assert recipe.reproduces
    assert recipe.tie_sentence.startswith("the one")


def test_each_tie_rule_has_its_own_sentence():
    assert len({recipe.tie_sentence for recipe in RECIPES.values()}) == 4
    assert len({recipe.tie_reason for recipe in RECIPES.values()}) == 4


@pytest.mark.parametrize(
    ("name", "text", "first", "sentence"),
    [
        ("minbpe", "zz mm aa", b"zz", "the one seen first in the text"),
        # the ids of “bc” and of “ad”, the right ones first, say the opposite
        ("huggingface", "bc bc ad ad", b"ad", "the one with the smallest ids, left before right"),
        ("cs336", "ad ad bc bc", b"bc", "the one that comes last in the alphabet, left before right"),
        (
            "sentencepiece",
            "zb zb abc abc",
            b"ab",
            "the one that makes the shortest token, of these the first in the alphabet",
        ),
    ],
)
def test_a_tie_goes_to_the_pair_that_the_sentence_names(name, text, first, sentence):
    trainer = Trainer(Corpus.from_text(text), name, num_merges=1)
    (step,) = trainer.steps()
    assert step.tied > 1
    assert trainer.tokenizer().token_bytes(step.token_id) == first
    assert RECIPES[name].tie_sentence == sentence


def test_recipes_cannot_be_changed():
    with pytest.raises(TypeError):
        RECIPES["minbpe"] = RECIPES["rustbpe"]
    with pytest.raises(FrozenInstanceError):
        RECIPES["minbpe"].tie = "smallest-ids"


def test_a_recipe_is_found_by_name_or_returned_unchanged():
    assert get_recipe("minbpe") is RECIPES["minbpe"]
    own = Recipe("own", "nobody", "bytes-by-value", "none", "first-seen", "last")
    assert get_recipe(own) is own


def test_a_name_that_does_not_exist_is_refused():
    with pytest.raises(TrainingSettingsError, match="no recipe named") as caught:
        get_recipe("bpe")
    assert "'bpe'" in str(caught.value)
    assert ", ".join(RECIPES) in str(caught.value)


def test_only_bytes_with_known_ids_of_special_tokens_allow_cuts():
    for changes in ({"special_tokens_at": "last"}, {"base": "occurring-bytes"}):
        with pytest.raises(TrainingSettingsError, match="Change these, or set cuts_at_special_tokens"):
            replace(RECIPES["cs336"], **changes)


def test_only_a_recipe_with_cuts_changes_a_split_pattern():
    assert RECIPES["minbpe"].split_pattern("gpt2", ["<s>"]) is SPLIT_PATTERNS["gpt2"]
    assert RECIPES["cs336"].split_pattern().special_tokens == ("<|endoftext|>",)
    assert RECIPES["cs336"].split_pattern("cl100k", ["<s>"]) == SPLIT_PATTERNS["cl100k"].cut_at(["<s>"])


# --- base vocabularies ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["minbpe-basic", "minbpe", "tiktoken-educational", "rustbpe"])
def test_bytes_by_value(name):
    base = base_of(name, "the cat", ("<a>",))  # special tokens come last and change no id
    assert (base.first_id, base.symbols) == (0, [bytes([value]) for value in range(256)])


def test_huggingface_sorts_the_bytes_by_their_gpt2_characters_after_its_special_tokens():
    base = base_of("huggingface", "the cat", ("<a>", "<b>"))
    assert base.first_id == 2
    shown = "".join(GPT2_BYTE_CHARACTERS[symbol[0]] for symbol in base.symbols)
    assert shown == "".join(sorted(GPT2_BYTE_CHARACTERS))
    assert base.symbols[:3] == [b"!", b'"', b"#"]
    assert base.symbols.index(b" ") == base.symbols.index(b"\x1f") + 1 > base.symbols.index(b"~")


def test_the_course_takes_the_bytes_that_occur():
    base = base_of("course", "the cat in\nthe hat", ("<|endoftext|>",))
    assert base.first_id == 1
    assert base.symbols == [b"a", b"c", b"e", b"h", b"i", b"n", b"t", b"\n", b" "]


def test_the_course_takes_bytes_not_characters():
    assert base_of("course", "é").symbols == [b"\xa9", b"\xc3"]


def test_llms_from_scratch_takes_latin1_then_other_characters_sorted():
    base = base_of("llms-from-scratch-simple", " 日 é本")
    assert base.symbols[:256] == [chr(code).encode() for code in range(256)]
    assert base.symbols[256:] == [b" ", "日".encode(), "本".encode()]  # Ġ U+0120 stands for the space
    assert base.spell([" 日 é"]).ids.tolist() == [257, 256, 0xE9]  # the leading space is dropped


def test_llms_from_scratch_always_has_its_space():
    assert base_of("llms-from-scratch-simple", "").symbols[256:] == [b" "]


def test_subword_nmt_takes_the_characters_of_words_and_marks_their_last():
    base = base_of("subword-nmt", "low lo\n")
    assert base.symbols == [b"l", b"o", b"o</w>", b"w</w>"]


def test_sentencepiece_takes_the_characters_that_occur_after_its_special_tokens():
    base = base_of("sentencepiece", "the hat\n\x00é\tta\x1f", ("<unk>", "<s>"))
    assert base.first_id == 2
    # sorted as written, with the space as ▁ (U+2581)
    assert base.symbols == [b"\t", b"a", b"e", b"h", b"t", "é".encode(), b" "]


# --- encoding after training ---------------------------------------------------------------------------


def test_llms_from_scratch_encodes_word_by_word():
    recipe, corpus = RECIPES["llms-from-scratch-simple"], Corpus.from_text("a cat", "none")
    base, split = encoding_rules(recipe.base_vocabulary(corpus, ()), corpus.split)
    assert split.split(" the  cat \n in\n") == [" ", "the", "  cat", " \n in", "\n"]
    assert base.spell(["  at"]).ids.tolist() == [256, 97, 116]


@pytest.mark.parametrize("name", [name for name in RECIPES if name != "llms-from-scratch-simple"])
def test_every_other_recipe_encodes_by_the_rules_of_training(name):
    corpus = Corpus.from_text("a cat", RECIPES[name].split)
    base = RECIPES[name].base_vocabulary(corpus, ())
    assert encoding_rules(base, corpus.split) == (base, corpus.split)
