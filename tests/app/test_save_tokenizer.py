"""The menu that saves a tokenizer, without a browser: the formats it offers, and why not the others."""

import io
import zipfile
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz.formats.reading import read_tokenizer
from bpeviz.formats.writing import FILE_FORMATS
from bpeviz.runs.run import NamedText, Run
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.kit.tokenizer_files import _name_of, tokenizer_download
from bpeviz.ui.session.session import Session
from bpeviz.ui.watch.run_line import MENU
from tests.support.app_test import CAT, captions, plain
from tests.support.trained import run_of


def page() -> None:
    from bpeviz.ui.watch.page import watch_page

    watch_page()


def trained(text: str = CAT, **settings: Any) -> Run:
    return run_of(NamedText("cats", text), TrainingSettings(**settings))


def opened(run: Run, *, menu: bool = True) -> AppTest:
    state = Session()
    state.show(run)
    app = AppTest.from_function(page, default_timeout=60)
    app.session_state["session"] = state
    app.session_state[MENU] = menu
    app.run()
    assert not app.exception
    return app


def buttons(app: AppTest) -> list[str]:
    return [button.label for button in app.get("download_button")]


def reasons(app: AppTest) -> list[str]:
    told = [plain(caption.value) for caption in app.caption]
    return [caption for caption in told if caption.startswith("Not as ")]


def test_the_formats_that_can_hold_a_run_have_buttons_and_the_others_a_reason() -> None:
    app = opened(trained(num_merges=10))
    assert buttons(app) == [
        "Hugging Face tokenizer.json",
        "GPT-2’s vocab.json and merges.txt",
        "tiktoken’s ranks",
    ]
    assert reasons(app) == [
        "Not as minbpe .model: the file holds no ids. minbpe takes each byte's value as its id; here "
        "the ids differ.",
        "Not as “LLMs from scratch” vocab.json and bpe_merges.txt: it is made of bytes, and the files hold "
        "characters.",
        "Not as SentencePiece .model: it is made of bytes, and the file holds characters.",
        "Not as subword-nmt codes: it is made of bytes, and the file holds characters.",
    ]


def test_what_is_saved_is_said_to_be_the_run_after_all_its_merges() -> None:
    assert "This run's tokenizer, with all 10 merges, as a file" in captions(opened(trained(num_merges=10)))
    assert "This run's tokenizer, with one merge, as a file" in captions(opened(trained(num_merges=1)))


def test_what_a_tiktoken_file_leaves_out_is_said() -> None:
    assert "holds neither the split pattern nor special tokens" in captions(opened(trained()))


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        ("minbpe-basic", "load the file with BasicTokenizer"),
        ("llms-from-scratch-simple", "for the notebook before its commit 0f35e37"),
    ],
)
def test_what_the_reader_of_a_file_must_be_told_is_said(recipe: str, said: str) -> None:
    assert said in captions(opened(trained(recipe=recipe, split="none", num_merges=5)))


def test_nothing_is_made_while_the_menu_is_closed() -> None:
    app = opened(trained(), menu=False)
    assert not buttons(app)
    assert not reasons(app)


def test_a_tokenizer_that_no_format_can_hold_has_reasons_alone() -> None:
    app = opened(trained(recipe="subword-nmt", split="gpt2"))
    assert not buttons(app)
    assert len(reasons(app)) == len(FILE_FORMATS)


def test_a_tokenizer_of_characters_is_saved_as_the_notebooks_pair() -> None:
    app = opened(trained(recipe="llms-from-scratch-simple", num_merges=20))
    assert buttons(app) == ["“LLMs from scratch” vocab.json and bpe_merges.txt"]


@pytest.mark.parametrize(
    ("recipe", "formats", "told"),
    [
        (
            "sentencepiece",
            ["Hugging Face tokenizer.json", "SentencePiece .model"],
            "Give SentencePiece one line at a time",
        ),
        ("subword-nmt", ["subword-nmt codes"], "only the characters that merges use"),
    ],
)
def test_tokenizers_of_words_are_saved_for_their_libraries(
    recipe: str, formats: list[str], told: str
) -> None:
    app = opened(trained(recipe=recipe, num_merges=20))
    assert buttons(app) == formats
    assert len(reasons(app)) == len(FILE_FORMATS) - len(formats)
    assert told in captions(app)


@pytest.mark.parametrize(
    ("recipe", "name"), [("sentencepiece", "tokenizer.model"), ("subword-nmt", "codes.bpe")]
)
def test_their_files_are_downloaded_unchanged(recipe: str, name: str) -> None:
    tokenizer = trained(recipe=recipe, num_merges=20).tokenizer
    assert _name_of(tokenizer, recipe) == (name, "application/octet-stream")
    assert tokenizer_download(tokenizer, recipe) == FILE_FORMATS[recipe].write(tokenizer)[name]


def test_markup_in_a_reason_is_shown_letter_by_letter() -> None:
    run = trained("**b** **b** <i>x</i> " * 3, split="custom", custom_pattern=r"[\w*]+|[^\w*]+", num_merges=3)
    (reason,) = [c.value for c in opened(run).caption if c.value.startswith("Not as Hugging")]
    assert r"[\w*]+" not in reason
    assert r"\[\\w\*\]" in reason


@pytest.mark.parametrize(
    ("recipe", "file_format", "name", "mime"),
    [
        ("huggingface", "huggingface", "tokenizer.json", "application/json"),
        ("huggingface", "gpt2", "gpt2.zip", "application/zip"),
        ("rustbpe", "tiktoken", "rustbpe-split.tiktoken", "application/octet-stream"),
        ("minbpe", "minbpe", "tokenizer.model", "application/octet-stream"),
        ("llms-from-scratch-simple", "llms-from-scratch", "llms-from-scratch.zip", "application/zip"),
    ],
)
def test_what_is_downloaded_is_read_back(recipe: str, file_format: str, name: str, mime: str) -> None:
    run = trained(recipe=recipe, num_merges=20)
    data = tokenizer_download(run.tokenizer, file_format)
    assert data == tokenizer_download(run.tokenizer, file_format)
    assert _name_of(run.tokenizer, file_format) == (name, mime)
    if name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            assert archive.testzip() is None
            files = {member: archive.read(member) for member in archive.namelist()}
    else:
        files = {name: data}
    assert read_tokenizer(files).encode(CAT) == run.tokenizer.encode(CAT)
