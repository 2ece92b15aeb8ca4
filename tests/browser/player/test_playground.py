"""The playground: a page from the disk that trains on any text, against the core."""

import base64
import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from bpeviz import Corpus, Trainer, load_pretrained
from bpeviz.formats.writing import write_tokenizer
from bpeviz.runs.samples import ENGLISH, FIRST_STEP, read_sample
from bpeviz.training.recipes import LONGEST_TOKEN, RECIPES
from tests.browser.test_standalone_pages import SCRIPTS
from tests.support import app_page as on
from tests.support.player_page import read_player_page
from tests.support.saved_files import open_menu, save
from tests.support.trained import LOW, shown, tokens, trained
from tests.support.waiting import wait_for

Open = Callable[[], Page]
NO_STORAGE = """Object.defineProperty(window, "localStorage", {
  get() { throw new Error("forbidden"); }, configurable: true });"""

#: Safari refuses what is asked for after the press.
SHARES_WHILE_PRESSED = """() => {
  navigator.clipboard.write = async ([item]) => {
    window.copied = item.getType("text/plain").then((blob) => blob.text());
    await window.copied;
  };
  document.querySelector(".playground").shadowRoot.querySelector(".share").click();
  return "copied" in window;
}"""

TOO_OLD = "This browser is too old. The page needs Chrome or Edge 123, Firefox 128, Safari 17.5"


@pytest.fixture
def tab_of_files(chromium: Browser) -> Iterator[Page]:
    """A second tab, for a page that the first one saves."""
    context = chromium.new_context(offline=True)
    yield context.new_page()
    context.close()


def type_text(page: Page, text: str) -> None:
    page.get_by_label(on.FIELD).fill(text)


def expect_tokens(page: Page, trainer: Trainer, step: int, text: str) -> None:
    """The player shows the core's tokens at a step."""
    expect(page.locator(".player .of")).to_have_text(f"{len(trainer.merges):,}")
    on.go_to(page, step)
    all_tokens = tokens(trainer.tokenizer().after(step), text)

    def shows_the_first() -> bool:
        """Of a long text there are those in view, and a moment later those around it."""
        shown_tokens = on.cells(page)
        return len(shown_tokens) > 0 and shown_tokens == all_tokens[: len(shown_tokens)]

    wait_for(page, shows_the_first, f"the tokens at step {step}")
    assert page.evaluate("[...document.bpevizStage.run.text]") == [*text.encode()]
    expect(on.tile(page, "tokens")).to_have_text(f"{len(trainer.tokenizer().after(step).encode(text)):,}")


def recipe_field(page: Page) -> Locator:
    return page.locator(".rules select.recipe")


def give(page: Page, name: str, data: bytes) -> None:
    file: Any = {"name": name, "mimeType": "text/plain", "buffer": data}
    page.locator("input[type=file]").set_input_files(file)


@pytest.mark.gate
def test_it_opens_with_a_sample_trained_as_python_trains_it(playground: Open) -> None:
    page = playground()
    text = read_sample(ENGLISH.title)
    trainer = trained(text)
    on.expect_step(page, FIRST_STEP)
    expect(page.locator(".playground .note")).to_have_text(f"{ENGLISH.title}, {len(text.encode()):,} bytes")
    expect(page.get_by_label(on.FIELD)).to_have_value(text)
    pairs = trained(text, FIRST_STEP).top_pairs(6)
    expected = [(shown(trainer, pair), f"{count:,}") for pair, count in pairs]
    assert on.pairs_on_show(page)[:6] == expected
    on.go_to(page, len(trainer.merges))
    expect(page.locator(".say")).to_contain_text(trainer.stop_reason or "")


@pytest.mark.gate
def test_it_trains_as_a_person_types_and_when_rules_change(playground: Open) -> None:
    page = playground()
    type_text(page, LOW)
    expect(page.locator(".playground .note")).to_have_text(f"{len(LOW)} bytes")
    expect_tokens(page, trained(LOW), 5, LOW)
    page.locator(".rules summary").click()
    recipe_field(page).select_option("minbpe")
    expect(page.locator(".follows")).to_have_text("Follows minbpe’s RegexTokenizer.")
    page.get_by_label("How many").fill("7")
    page.get_by_label("Split pattern").select_option("whitespace")
    expect(page.locator(".rules .chosen")).to_have_text("minbpe · whitespace split · 7 merges")
    expect(page.locator(".player .of")).to_have_text("7")
    page.keyboard.press("Escape")
    expect(recipe_field(page)).to_be_hidden()
    trainer = Trainer(Corpus.from_text(LOW, "whitespace"), "minbpe", num_merges=7, min_frequency=2)
    list(trainer.steps())
    expect_tokens(page, trainer, 7, LOW)


@pytest.mark.gate
def test_a_fork_stands_beside_the_run_without_it_and_can_be_undone(playground: Open) -> None:
    page = playground()
    type_text(page, LOW)
    expect_tokens(page, trained(LOW), 3, LOW)
    (second, _) = trained(LOW, 3).top_pairs(2)[1]
    on.merge_instead(page, 1)
    expect(page.locator(".card.other .tok").first).to_be_visible()
    expect(page.locator(".playground .made")).to_have_text("You chose merge 4.")
    on.expect_step(page, 3)
    forked = trained(LOW, 3)
    forked.num_merges = 500
    forked.step(second)
    list(forked.steps())
    expect_tokens(page, forked, 6, LOW)
    assert page.locator(".card.other .tok").all_text_contents() == tokens(
        trained(LOW).tokenizer().after(6), LOW
    )
    page.get_by_role("button", name="Undo the last").click()
    expect(page.locator(".card.other")).to_be_hidden()
    expect(page.locator(".playground .choices")).to_be_hidden()
    on.go_to(page, 3)
    on.bar(page, 0).click(force=True)
    page.get_by_role("button", name="Never merge it").click()
    expect(page.locator(".playground .made")).to_contain_text("From merge 4 on you never merge")


@pytest.mark.gate
def test_files_are_given_or_dropped_with_their_line_ends(playground: Open) -> None:
    page = playground()
    text = "low\r\nlower\r\n" * 9
    give(page, "low.txt", b"\xef\xbb\xbf" + text.encode())
    expect(page.locator(".playground .note")).to_have_text(f"low.txt, {len(text)} bytes")
    on.go_to(page, 4)
    assert page.evaluate("[...document.bpevizStage.run.text]") == [*text.encode()]
    drop = """data => {
      const files = new DataTransfer();
      files.items.add(new File([new Uint8Array(data)], "<b>drop</b>.txt"));
      document.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
    }"""
    page.evaluate(drop, [*LOW.encode()])
    expect(page.locator(".playground .note")).to_have_text(f"<b>drop</b>.txt, {len(LOW)} bytes")
    expect_tokens(page, trained(LOW), 4, LOW)


@pytest.mark.gate
def test_several_files_are_one_text_as_in_the_program(playground: Open) -> None:
    page = playground()
    files: Any = [
        {"name": name, "mimeType": "text/plain", "buffer": data}
        for name, data in (("one.txt", b"aaa bbb aaa"), ("two.txt", "\ufeffccc ddd\n".encode("utf-16-le")))
    ]
    page.locator("input[type=file]").set_input_files(files)
    text = "aaa bbb aaa\nccc ddd\n"
    expect(page.locator(".playground .note")).to_have_text(f"2 files, {len(text)} bytes")
    expect(page.get_by_label(on.FIELD)).to_have_value(text)


@pytest.mark.gate
def test_a_long_file_is_named_with_its_characters(playground: Open) -> None:
    page = playground()
    give(page, "faces.txt", ("🙂" * 50_001).encode())
    says = "faces.txt, 50,001 characters. Type here to train on another text."
    expect(page.get_by_label(on.FIELD)).to_have_attribute("placeholder", says)


@pytest.mark.gate
def test_the_longest_token_is_explained_as_in_the_app(playground: Open) -> None:
    page = playground()
    page.locator(".rules summary").click()
    for recipe in ("huggingface", "sentencepiece"):
        recipe_field(page).select_option(recipe)
        says = LONGEST_TOKEN[RECIPES[recipe].length_unit]
        expect(page.locator("input.longest")).to_have_attribute("title", says)


@pytest.mark.gate
@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"abc\xff\xfe", "odd.txt is not UTF-8. Save it as plain text in UTF-8."),
        ("the cat in the hat\n".encode("utf-16-le"), "odd.txt is UTF-16 without the mark that says so"),
        (gzip.compress(b"the cat", mtime=0), "odd.txt is compressed by gzip. Unpack it with gunzip"),
        (b"%PDF-1.7\n%\xe2\xe3", "odd.txt is a PDF document. Save its text as a plain text file"),
        (b"PK\x03\x04" + bytes(26) + b"word/document.xml", "odd.txt is a document of Word (docx)."),
        (b"", "odd.txt is empty. Choose a file with text."),
        (b"a" * 1_000_001, "This text has 1,000,001 bytes. The page takes up to 1,000,000."),
    ],
)
def test_what_it_does_not_take_gets_a_sentence(playground: Open, data: bytes, problem: str) -> None:
    page = playground()
    of = page.locator(".player .of").text_content() or ""
    give(page, "odd.txt", data)
    expect(page.get_by_role("alert")).to_contain_text(problem)
    expect(page.locator(".player .of")).to_have_text(of)  # the run before stays


@pytest.mark.gate
def test_a_long_text_waits_for_the_button(playground: Open) -> None:
    page = playground()
    text = LOW * 80
    assert len(text) > 10_000
    type_text(page, text)
    expect(page.locator(".playground .note")).to_have_text("Press “Watch it” to train on this text.")
    page.get_by_role("button", name="Watch it").click()
    expect(page.locator(".playground .note")).to_have_text(f"{len(text):,} bytes")
    expect_tokens(page, trained(text), 5, text)


@pytest.mark.gate
def test_text_and_rules_survive_a_reload(playground: Open) -> None:
    page = playground()
    page.locator(".rules summary").click()
    page.get_by_label("Minimum frequency").fill("5")
    page.keyboard.press("Tab")
    type_text(page, LOW)
    expect(page.locator(".playground .note")).to_have_text(f"{len(LOW)} bytes")
    made = page.locator(".player .of").text_content() or ""
    page.reload()
    expect(page.get_by_label(on.FIELD)).to_have_value(LOW)
    expect(page.locator(".player .of")).to_have_text(made)
    assert page.locator(".fewest").input_value() == "5"


@pytest.mark.gate
def test_it_works_where_nothing_may_be_stored(page: Page, playground: Open) -> None:
    page.add_init_script(NO_STORAGE)
    playground()
    type_text(page, LOW)
    expect(page.locator(".playground .note")).to_have_text(f"{len(LOW)} bytes")
    page.evaluate(
        "Object.defineProperty(window, 'localStorage', { value: { clear() {} } })"
    )  # for the fixture


@pytest.mark.gate
def test_a_training_can_be_cancelled(page: Page, address: str) -> None:
    page.add_init_script("window.Worker = class { postMessage() {} terminate() { window.ended = true; } }")
    page.goto(address)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Cancel")).to_be_hidden()
    assert page.evaluate("window.ended")


@pytest.mark.gate
@pytest.mark.parametrize(
    ("lacks", "says"),
    [
        ("delete window.Worker", "This browser can't train here. Try a newer one, or another browser."),
        ("delete window.DecompressionStream", TOO_OLD),
        ("delete HTMLElement.prototype.popover", TOO_OLD),
        ("CSS.supports = (property, value) => !value.startsWith('light-dark(')", TOO_OLD),
    ],
)
def test_a_browser_that_is_too_old_gets_a_sentence(page: Page, address: str, lacks: str, says: str) -> None:
    page.add_init_script(lacks)
    page.goto(address)
    expect(page.get_by_text(says)).to_be_visible()


@pytest.mark.gate
def test_hostile_texts_tokens_and_names_are_shown_as_text(playground: Open) -> None:
    page = playground()
    give(page, f"{SCRIPTS[:60]}.txt", SCRIPTS.encode() * 3)
    expect(page.locator(".playground .note")).to_contain_text("<script>")
    page.locator(".rules summary").click()
    page.get_by_label("Special tokens").fill(SCRIPTS)
    recipe_field(page).select_option("cs336")
    page.get_by_label("Special tokens").fill("<img src=x onerror=window.ran=1>")
    page.keyboard.press("Tab")
    expect(page.locator(".player .of")).not_to_have_text("")
    # The next page sets it: what this one sets may arrive only after the next one has read it.
    page.add_init_script("""localStorage.setItem("bpeviz-playground", JSON.stringify({
      text: "<img src=x onerror=window.ran=1> ab ab", name: "<svg onload=window.ran=1>",
      settings: { recipe: "constructor", split: "__proto__", special_tokens: [{}], num_merges: "9" } }))""")
    page.reload()
    expect(page.locator(".playground .note")).to_contain_text("<svg onload=window.ran=1>")
    expect(page.locator(".rules .chosen")).to_have_text("huggingface · gpt2 split · 500 merges")


@pytest.mark.gate
def test_presenting_shows_the_player_alone(playground: Open) -> None:
    page = playground()
    page.get_by_role("button", name="Present").click()
    expect(page.locator(".playground .watch")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator(".playground .watch")).to_be_visible()


@pytest.mark.gate
def test_how_a_word_grows_follows_the_run(playground: Open) -> None:
    page = playground()
    type_text(page, LOW)
    expect_tokens(page, trained(LOW), 9, LOW)
    page.locator(on.CELLS).first.click()
    page.get_by_role("button", name="Show how its word grows").click()
    expect(page.get_by_role("heading", name="How low grows")).to_be_visible()
    type_text(page, "another text, another text")
    expect(page.get_by_role("heading", name="How low grows")).to_have_count(0)


@pytest.mark.gate
def test_the_tokenizer_and_the_page_are_saved_as_python_writes_them(
    playground: Open, tab_of_files: Page, tmp_path: Path
) -> None:
    page = playground()
    text = f"{LOW}<b>é</b> 日本"
    type_text(page, text)
    trainer = trained(text)
    expect(page.locator(".playground .note")).to_have_text(f"{len(text.encode())} bytes")
    on.go_to(page, 5)
    tokenizer = trainer.tokenizer()
    for row, name, format in (
        ("Tokenizer as JSON", "tokenizer.json", "huggingface"),
        ("GPT-2’s two files as vocabulary", "vocab.json", "gpt2"),
        ("GPT-2’s two files as merges", "merges.txt", "gpt2"),
    ):
        path = save(page, row, tmp_path)
        assert path.name == name
        expected = write_tokenizer(tokenizer, format)[name].decode()
        saved = path.read_text("utf-8")
        assert saved == expected or json.loads(saved) == json.loads(expected)
    path = save(page, "Interactive page (.html) as HTML", tmp_path)
    assert path.name == "bpeviz-interactive-page-5.html"
    tab_of_files.goto(path.as_uri())
    expect(tab_of_files.locator(".player .of")).to_have_text(f"{len(trainer.merges)}")
    on.expect_step(tab_of_files, 5)
    assert on.cells(tab_of_files) == on.cells(page)
    assert tab_of_files.title() == f"Text: recipe huggingface, {len(trainer.merges)} merges"
    saved_page = read_player_page(path.read_text("utf-8"))
    whole = [piece for piece, mark in saved_page.texts[0] if "i" not in mark]  # é and 日本 are still bytes
    assert "".join(whole) == text.replace("é", "").replace("日本", "")
    assert len(saved_page.rows) == 1 + len(trainer.merges)


@pytest.mark.gate
def test_a_recipe_of_characters_says_why_it_saves_no_file(playground: Open) -> None:
    page = playground()
    page.locator(".rules summary").click()
    recipe_field(page).select_option("subword-nmt")
    page.keyboard.press("Escape")
    expect(page.locator(".player .of")).not_to_have_text(f"{len(trained(read_sample(ENGLISH.title)).merges)}")
    open_menu(page)
    page.get_by_role("button", name="Tokenizer as JSON").click()
    expect(page.locator(".export .saved")).to_contain_text("this recipe makes tokens of characters.")


@pytest.mark.gate
def test_a_link_has_the_text_and_the_rules_and_says_when_it_is_too_long(playground: Open) -> None:
    page = playground()
    assert page.evaluate(SHARES_WHILE_PRESSED)
    expect(page.locator(".link span")).to_have_text("Copied")
    expect(page.get_by_label("Link")).to_have_value(re.compile("#[-_A-Za-z0-9]+$"))
    assert page.evaluate("window.copied") == page.get_by_label("Link").input_value()
    page.locator(".rules summary").click()
    recipe_field(page).select_option("cs336")
    type_text(page, f"{LOW}<i>日本</i>")
    expect(page.get_by_label("Link")).to_be_hidden()
    page.evaluate("() => { navigator.clipboard.write = () => Promise.reject(new Error()); }")
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".link span")).to_have_text("It is selected. Press Ctrl+C or ⌘C to copy it.")
    link = page.get_by_label("Link").input_value()
    page.evaluate("localStorage.clear()")
    page.goto("about:blank")
    page.goto(link)
    expect(page.get_by_label(on.FIELD)).to_have_value(f"{LOW}<i>日本</i>")
    expect(page.locator(".rules .chosen")).to_have_text("cs336 · gpt2 split · 500 merges")
    type_text(page, "another text, another")
    expect(page).to_have_url(link.split("#")[0])
    type_text(page, "".join(chr(0x4E00 + i * 7919 % 20_000) for i in range(9_000)))
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".link span")).to_contain_text("This text is too long for a link")


@pytest.mark.gate
def test_a_phone_sends_the_link_and_where_it_cannot_says_how_to_copy_it(phone: Page) -> None:
    phone.evaluate("""() => {
      navigator.canShare = () => true;
      navigator.share = async ({ url }) => { window.sent = url; };
    }""")
    phone.get_by_role("button", name="Share").tap()
    wait_for(phone, lambda: phone.evaluate("window.sent") is not None, "the link is sent")
    assert phone.evaluate("window.sent") == phone.get_by_label("Link").input_value()
    phone.evaluate("() => { navigator.share = () => Promise.reject(new Error()); }")
    phone.get_by_role("button", name="Share").tap()
    expect(phone.locator(".link span")).to_have_text("Hold it and choose Copy.")


def test_ios_has_no_reason_to_zoom_into_a_field(phone: Page) -> None:
    sizes = phone.locator("input:not([type=checkbox], [type=file]), select, textarea").evaluate_all(
        "all => all.map(e => parseFloat(getComputedStyle(e).fontSize))"
    )
    assert len(sizes) > 10
    assert min(sizes) >= 16


def _link_part(json: bytes) -> str:
    """What the page would write for JSON after the # of a link."""
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packing.compress(json) + packing.flush()
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


@pytest.mark.gate
def test_a_link_that_cannot_be_read_gets_a_sentence(page: Page, address: str) -> None:
    grows = b'{"text": "' + b"a" * 5_000_000 + b'"}'
    odd = b'{"settings": {"recipe": {"toString": 1}, "split": {"toString": 1}}, "name": {"toString": 1}}'
    nested = b'{"settings": {"special_tokens": ' + b"[" * 60_000 + b"]" * 60_000 + b"}}"
    for part in ("abc", "%00", *map(_link_part, (grows, odd, nested))):
        page.goto("about:blank")
        page.goto(f"{address}#{part}")
        expect(page.get_by_role("alert")).to_have_text(
            "This link has no text that can be read. Ask for it again."
        )
        expect(page.locator(on.CELLS).first).to_be_visible()


@pytest.mark.gate
def test_it_trains_in_a_frame_that_a_page_keeps_apart(page: Page, address: str, tmp_path: Path) -> None:
    course = tmp_path / "course.html"
    frame = (
        f'<iframe sandbox="allow-scripts allow-downloads" src="{address}" width="900" height="600"></iframe>'
    )
    course.write_text(f"<!doctype html><title>Course</title>{frame}", "utf-8")
    page.goto(course.as_uri())
    inside = page.frame_locator("iframe")
    inside.get_by_label(on.FIELD).fill(LOW)
    expect(inside.locator(".playground .note")).to_have_text(f"{len(LOW)} bytes")
    expect(inside.locator(".player .of")).to_have_text(f"{len(trained(LOW).merges)}")


@pytest.mark.gate
def test_a_split_pattern_in_the_browser_s_syntax(playground: Open) -> None:
    page = playground()
    type_text(page, LOW)
    page.locator(".rules summary").click()
    field = page.get_by_label("My own pattern")
    expect(field).to_be_hidden()
    page.locator(".rules select.split").select_option("my own")
    expect(field).to_have_value(r"\S+|\s+")
    expect(page.locator(".rules .chosen")).to_contain_text("custom split")
    trainer = Trainer(Corpus.from_text(LOW, "whitespace"), "huggingface", num_merges=500, min_frequency=2)
    list(trainer.steps())
    expect(page.locator(".player .of")).to_have_text(f"{len(trainer.merges)}")
    field.fill("(")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("This browser can't read the split pattern:")
    field.fill("(l+)+$|[^]")  # takes ages on many letters
    field.press("Enter")
    expect(page.get_by_role("alert")).to_be_hidden()
    type_text(page, "l" * 40 + "!")
    expect(page.get_by_role("alert")).to_contain_text("The split pattern takes too long on this text.")


@pytest.mark.gate
def test_on_paper_it_is_the_text_at_the_step_and_the_merges(playground: Open) -> None:
    page = playground()
    type_text(page, LOW)
    expect(page.locator(".playground .note")).to_have_text(f"{len(LOW)} bytes")
    on.go_to(page, 4)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("#after")).to_have_text("The text after 4 merges:")
    assert (page.locator("#tokens").text_content() or "").strip("\n") == LOW
    expect(page.locator("#readable tr")).to_have_count(1 + len(trained(LOW).merges))
    expect(page.locator(".playground .watch")).to_be_hidden()
    page.emulate_media(media="screen")
    expect(page.locator("#tokens")).to_be_hidden()


@pytest.mark.gate
def test_a_step_that_the_person_goes_to_during_a_training_stays(playground: Open) -> None:
    page = playground()
    hold = """() => {
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (order) { window.release = () => post.call(this, order); };
    }"""
    page.evaluate(hold)
    type_text(page, LOW)
    wait_for(page, lambda: page.evaluate("'release' in window"), "the page asks for a training")
    on.go_to(page, 5)
    page.evaluate("window.release()")
    expect(page.locator(".player .of")).to_have_text(f"{len(trained(LOW).merges)}")
    on.expect_step(page, 5)


@pytest.mark.gate
def test_a_cancelled_fork_leaves_the_choices_of_the_run_on_show(playground: Open) -> None:
    page = playground()
    type_text(page, LOW)
    expect(page.locator(".playground .note")).to_have_text(f"{len(LOW)} bytes")
    on.go_to(page, 2)
    number = page.evaluate("document.bpevizStage.run.number")
    silent = "window.post = Worker.prototype.postMessage; Worker.prototype.postMessage = () => {};"
    page.evaluate(f"() => {{ {silent} }}")
    on.merge_instead(page, 1)
    page.get_by_role("button", name="Cancel").click()
    page.evaluate("() => { Worker.prototype.postMessage = window.post; }")
    page.get_by_role("button", name="Watch it").click()
    another = f"document.bpevizStage.run.number > {number}"
    wait_for(page, lambda: page.evaluate(another), "the same run trains again")
    expect(page.locator(".playground .choices")).to_be_hidden()


@pytest.mark.gate
def test_rows_show_the_text_in_tokens_of_gpt2_and_of_the_run(playground: Open) -> None:
    page = playground()
    text = f"{LOW}<b>日本</b>"
    type_text(page, text)
    gpt2, own = load_pretrained("gpt2"), trained(text).tokenizer()
    for name, tokenizer in (("GPT-2", gpt2), ("your text", own)):
        row = page.get_by_role("group", name=f"Tokens of {name}")
        total = len(tokenizer.encode(text))
        expect(row.locator("xpath=../preceding-sibling::dt[1]")).to_have_text(f"{name} {total} tokens")
        expect(row.locator(".tok")).to_have_count(min(total, 120))
    row = page.get_by_role("group", name="Tokens of GPT-2")
    assert row.locator(".tok").all_text_contents()[:9] == tokens(gpt2, LOW)[:9]
    type_text(page, LOW * 80)
    page.get_by_role("button", name="Watch it").click()
    expect(page.locator(".playground .rows dt")).to_have_count(0)


@pytest.mark.gate
def test_the_run_is_compared_with_gpt2_and_follows_the_text(playground: Open) -> None:
    page = playground()
    page.get_by_text("Compare with GPT-2").click()
    for text in (read_sample(ENGLISH.title), LOW):
        type_text(page, text)
        own, gpt2 = (
            len(tokenizer.encode(text)) for tokenizer in (trained(text).tokenizer(), load_pretrained("gpt2"))
        )
        expect(page.locator(".comparer .verdict")).to_contain_text(f"{own:,}")
        if own != gpt2:
            expect(page.locator(".comparer .verdict")).to_contain_text(f"{gpt2:,}")
