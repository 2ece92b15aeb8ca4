"""What a language costs: the same sentences, counted by tiktoken's own encoder."""

import pytest

from bpeviz import load_pretrained, train_tokenizer
from bpeviz.runs.language_cost import dearest_language, language_cost, language_of
from bpeviz.runs.parallel_sample import LANGUAGES, parallel_sentences
from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import read_sample
from tests.support.gpt2_of_tiktoken import reference

GPT2 = load_pretrained("gpt2")


def times(code: str) -> str:
    tokens, english = (sum(len(reference().encode(s)) for s in parallel_sentences(c)) for c in (code, "en"))
    return f"{tokens / english:.1f}"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("नमस्ते दुनिया", "hi"),
        ("こんにちは世界", "ja"),
        ("漢字漢字漢字かな", "ja"),
        ("你好，世界", "zh"),
        ("สวัสดี hello", "th"),
        ("Привет", "ru"),
        ("hello", None),
        ("123 🐈", None),
        ("", None),
    ],
)
def test_the_language_is_told_from_the_script(text: str, code: str | None) -> None:
    language = language_of(text)
    assert (language and language.code) == code


def test_the_cost_of_a_language_is_that_of_the_same_sentences() -> None:
    said = f"Compared with English, Thai takes {times('th')} times as many tokens in GPT-2"
    assert language_cost("สวัสดี", {"GPT-2": GPT2}) == f"{said}."
    assert (
        language_cost("สวัสดี", {"GPT-2": GPT2, "mine": GPT2})
        == f"{said} and {times('th')} times as many in mine."
    )
    assert language_cost("hello", {"GPT-2": GPT2}) == ""
    assert language_cost("สวัสดี", {}) == ""


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Привіт", "text in Cyrillic letters, measured in Russian,"),
        ("سلام", "text in Arabic letters, measured in Arabic,"),
        ("नमस्ते", "text in Devanagari letters, measured in Hindi,"),
        ("გამარჯობა", "Georgian"),
    ],
)
def test_a_script_of_several_languages_is_named_apart_from_its_first_one(text: str, what: str) -> None:
    language = language_of(text)
    assert language is not None
    said = f"Compared with English, {what} takes {times(language.code)} times as many tokens in GPT-2."
    assert language_cost(text, {"GPT-2": GPT2}) == said


def test_many_texts_and_the_typed_text_say_the_same_of_a_language() -> None:
    texts = [NamedText(name, read_sample(name)) for name in ("English prose", "German", "Japanese", "Hindi")]
    most = max(("de", "ja", "hi"), key=lambda code: float(times(code)))
    assert dearest_language(texts, GPT2, len(GPT2.merges)) == (
        f"{LANGUAGES[most].name} costs most of these languages: "
        f"{times(most)} times as many tokens as English, for the same sentences."
    )
    assert dearest_language(texts[2:3], GPT2, len(GPT2.merges)) == (
        f"Japanese takes {times('ja')} times as many tokens as English, for the same sentences."
    )


def test_texts_of_no_known_language_and_a_tokenizer_that_lacks_letters_say_nothing() -> None:
    assert dearest_language([NamedText("English prose", "the cat")], GPT2, 50_000) == ""
    course = train_tokenizer("the cat", "course", num_merges=2)
    assert dearest_language([NamedText("x", "日本")], course, 2) == ""
