"""The encode page in Chromium: what a person reads of the merges, the ids, the answers and the orders."""

import re

import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect
from streamlit.proto.BackMsg_pb2 import BackMsg

from bpeviz import load_pretrained
from bpeviz.ui.encode.page import FIRST_TEXT
from tests.support import app_page as on
from tests.support.waiting import wait_for

JAPANESE = "灯台の灯🚢👩‍🚀"


def open_page(page: Page, text: str | None = None) -> None:
    """Open the page in a new session, with GPT-2; encode a text."""
    page.goto("/encode")
    expect_page(page)
    if text is not None:
        encode(page, text)


def expect_page(page: Page) -> None:
    expect(page.locator(".encoder .chip").first).to_be_visible()
    on.expect_settled(page)


def encode(page: Page, text: str) -> None:
    """Write a text, leave the field, so that keys step, and wait until the page shows the text."""
    write(page, "Text to encode", text)
    shown = text.replace("\n", "").encode()  # a line end is a glyph only
    cells = page.locator(".chips .tok")
    wait_for(page, lambda: on.spelled_bytes(cells) == shown, f"the pre-tokens spell {text!r}")
    on.expect_settled(page)


def write(page: Page, label: str, text: str) -> None:
    field = page.get_by_label(label, exact=True)
    field.fill(text)
    field.press("Control+Enter")
    field.blur()
    on.expect_settled(page)


def bench(page: Page) -> list[str]:
    """The tokens on the bench, and between each two what stands there."""
    parts = page.locator(".bench .tokens :is(.tok, .joint)")
    return [" ".join(text.split()) if "merge" in text else text for text in parts.all_text_contents()]


def chips(page: Page) -> Locator:
    return page.locator(".chips .chip")


def tokens_of(chip: Locator) -> list[str]:
    return chip.locator(".tok").all_text_contents()


def log(page: Page) -> list[list[str]]:
    rows = page.locator(".log tbody tr")
    return [[cell.text_content() or "" for cell in row.locator("td").all()] for row in rows.all()]


def so_far(page: Page, made: int, of: int) -> None:
    """So many merges of the picked word are made."""
    noun = "merge" if of == 1 else "merges"
    expect(page.locator(".encoder .field")).to_have_text(f"{made:,} of {of:,} {noun}")


def picked(page: Page) -> Locator:
    return page.locator(".chip[aria-pressed=true]")


def answer(page: Page) -> Locator:
    return page.locator(".encoder .answer")


def press(page: Page, key: str, times: int = 1) -> None:
    for _ in range(times):
        page.keyboard.press(key)


def says(text: str) -> re.Pattern[str]:
    """A text with marks between its letters that keep right-to-left ones in their quotation marks."""
    return re.compile("[\u2068\u2069]?".join(map(re.escape, text)))


# The result, and why a word is not one token


def test_a_click_on_a_word_runs_only_the_part_of_the_page_with_the_words(page: Page) -> None:
    """To run the whole page would encode the text again for each word."""
    sent: list[bytes | str] = []

    def note(frame: bytes | str) -> None:
        sent.append(frame)

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", note)

    page.once("websocket", listen)
    open_page(page, "the hotel's cat")
    expect(page.locator(".biography .which")).to_be_visible()
    for place, word in ((1, "␣hotel"), (0, "the")):
        sent.clear()
        chips(page).nth(place).click()
        expect(page.locator(".biography .which")).to_have_text(f"How {word} grows")
        expect(picked(page)).to_have_text(re.compile(word[-3:]))
        asked = [BackMsg.FromString(frame) for frame in sent if isinstance(frame, bytes)]
        parts = [message.rerun_script.fragment_id for message in asked if message.HasField("rerun_script")]
        assert parts
        assert all(parts)
    encode(page, "a cat")
    expect(page.locator(".biography .which")).to_have_text("How a grows")


def test_keys_lead_from_word_to_word(page: Page) -> None:
    open_page(page, "the cat sat")
    chips(page).nth(0).focus()
    press(page, ".")
    expect(chips(page).nth(1)).to_be_focused()
    expect(answer(page)).to_contain_text(says("“␣cat” is one token"))
    press(page, ".", 5)
    expect(chips(page).nth(2)).to_be_focused()
    press(page, ",", 5)
    expect(chips(page).nth(0)).to_be_focused()
    expect(answer(page)).to_contain_text(says("“the” is one token"))


def test_what_a_word_s_button_shows_is_in_its_accessible_name(page: Page) -> None:
    open_page(page, "the hotels")
    for chip in chips(page).all():
        shown = re.findall(r"\w+", chip.inner_text())
        assert shown
        name = chip.aria_snapshot()
        assert all(word in name for word in shown), (shown, name)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_picked_word_and_its_answer_are_in_the_first_screen_of_a_laptop(page: Page, scheme: str) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    open_page(page)
    expect(picked(page)).to_be_in_viewport(ratio=1)
    expect(answer(page)).to_be_in_viewport(ratio=1)
    expect(page.locator(".bench .say")).to_be_in_viewport(ratio=1)


def test_on_a_phone_each_word_has_room_for_a_finger_and_the_answer_is_in_the_first_screen(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page)
    for chip in chips(page).all():
        box = chip.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
    expect(answer(page).locator(".verdict")).to_be_in_viewport(ratio=1)
    chips(page).nth(0).click()
    expect(answer(page)).to_contain_text(says("“The” is one token"))
    expect(answer(page)).to_be_in_viewport(ratio=1)


# The merges


@pytest.mark.gate
def test_a_word_is_picked_and_merged_in_merge_order_before_ones_eyes(page: Page) -> None:
    open_page(page)
    expect(page.locator(".figures")).to_have_text("24 tokens for 74 bytes, 3.08 bytes per token")
    shown = [int(text) for text in page.locator(".chips .id").all_text_contents()]
    assert shown == load_pretrained("gpt2").encode(FIRST_TEXT)
    every_id = page.locator(".with-id .id")
    expect(every_id.filter(visible=True)).to_have_count(0)
    page.get_by_label("Show ids").check()  # in the word's steps and the cards of its variants too
    expect(every_id.filter(visible=True)).to_have_count(every_id.count())
    page.keyboard.press("i")
    expect(page.get_by_label("Show ids")).not_to_be_checked()
    assert tokens_of(picked(page)) == [" unh", "app", "ily"]
    so_far(page, 7, 7)
    encode(page, "that hotel\nhotel")
    chips(page).nth(0).click()
    expect(answer(page)).to_contain_text(says("“that” is one token: merge"))
    chips(page).nth(1).click()
    assert tokens_of(picked(page)) == [" hotel"]
    expect(answer(page)).to_contain_text(says("“␣hotel” is one token: merge"))
    chips(page).last.click()
    expect(answer(page)).to_contain_text(says("“hotel” is not one token: no merge joins “hot” + “el”."))
    text, said = chips(page).last.bounding_box(), answer(page).bounding_box()
    assert text
    assert said
    assert 0 < said["y"] - (text["y"] + text["height"]) < 60
    so_far(page, 3, 3)
    press(page, "Home")
    so_far(page, 0, 3)
    say = page.locator(".bench .say")
    assert bench(page) == ["h", "merge 8,618", "o", "merge 58", "t", "merge 405", "e", "merge 162", "l"]
    expect(page.locator(".joint.chosen")).to_have_text("merge 58")
    expect(say).to_have_text("Of 4 pairs that can merge, merge 58 came first. It joins o + t to ot.")
    press(page, "ArrowRight")
    assert bench(page) == ["h", "merge 8,685", "ot", "merge 1,003", "e", "merge 162", "l"]
    expect(page.locator(".bench .tokens .tok.new")).to_have_text("ot")
    expect(page.locator(".joint.chosen")).to_have_text("merge 162")
    press(page, "ArrowRight")
    assert bench(page) == ["h", "merge 8,685", "ot", "—", "el"]
    expect(say).to_have_text("Only one pair can merge. Merge 8,685 joins h + ot to hot.")
    press(page, "ArrowRight")
    assert bench(page) == ["hot", "—", "el"]
    expect(say).to_have_text("No merge joins any two neighbours: 2 tokens are left.")
    assert log(page) == [
        ["3", "8,685", "h + ot → hot"],
        ["2", "162", "e + l → el"],
        ["1", "58", "o + t → ot"],
    ]
    so_far(page, 3, 3)
    assert chips(page).last.locator(".id").all_text_contents() == ["8940", "417"]
    press(page, "ArrowLeft", 2)
    assert bench(page) == ["h", "merge 8,685", "ot", "merge 1,003", "e", "merge 162", "l"]
    assert len(log(page)) == 1


def test_each_word_is_seen_before_and_after_its_merges(page: Page) -> None:
    open_page(page, "the cat!")
    which = page.locator(".bench .which")
    chips(page).nth(0).click()
    expect(which).to_have_text("The merges of the")
    expect(page.locator(".bench .say")).to_have_text("One token is left: the, id 1169.")
    press(page, "ArrowRight")
    expect(which).to_have_text("The merges of ␣cat")
    assert tokens_of(chips(page).nth(0)) == ["the"]
    assert tokens_of(chips(page).nth(1)) == [" ", "c", "a", "t"]
    press(page, ".")
    expect(which).to_have_text("The merges of !")
    expect(page.locator(".bench .say")).to_have_text("A single base symbol, with nothing to merge: !, id 0.")
    expect(page.locator(".log .nothing")).to_have_text("This word needs no merge.")
    assert tokens_of(chips(page).nth(1)) == [" cat"]
    chips(page).nth(0).click()
    press(page, "Home")
    assert bench(page) == ["t", "merge 145", "h", "merge 3", "e"]
    expect(page.locator(".log .nothing")).to_have_text("No merge yet. Press → or play.")
    press(page, "Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(chips(page).last).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert [tokens_of(chip) for chip in chips(page).all()] == [["the"], [" cat"], ["!"]]


def test_the_buttons_do_what_the_keys_do(page: Page) -> None:
    open_page(page, "the cat")
    chips(page).nth(0).click()
    for name, made in (("First", 0), ("Next", 1), ("Next", 2), ("Back", 1), ("Last", 2)):
        page.get_by_role("button", name=name, exact=True).click()
        so_far(page, made, 2)


def test_keys_in_a_field_are_the_fields(page: Page) -> None:
    open_page(page, "the cat")
    chips(page).nth(0).click()
    page.get_by_label("Text to encode", exact=True).focus()
    press(page, "Home")
    press(page, "ArrowLeft")
    so_far(page, 2, 2)


def test_a_merge_of_the_list_leads_back_to_it(page: Page) -> None:
    open_page(page, "the cat")
    chips(page).nth(0).click()
    page.locator(".log tbody tr").last.click()
    so_far(page, 1, 2)
    assert bench(page) == ["t", "merge 914", "he"]


# Texts of every kind


def test_parts_of_characters_are_hex_cells_that_say_what_they_belong_to(page: Page) -> None:
    gpt2 = load_pretrained("gpt2")
    open_page(page, JAPANESE)
    assert on.spelled_bytes(page.locator(".chips .tok")) == JAPANESE.encode()
    expect(chips(page).first.locator(".char").first).to_have_attribute("data-char", "灯")
    ids = gpt2.encode(JAPANESE)
    expect(page.locator(".chips .id")).to_have_text([str(i) for i in ids])
    for cell, token_id in zip(page.locator(".chips .tok").all(), ids, strict=True):
        token = gpt2.token_bytes(token_id)
        shown = cell.text_content() or ""
        try:
            whole = token.decode()
        except UnicodeDecodeError:
            assert shown == token.hex(" ").upper()
        else:
            assert shown in (whole, token.hex(" ").upper())  # a joiner alone shows nothing


def test_of_a_pre_token_of_two_thousand_symbols_what_is_about_the_merge_is_drawn(page: Page) -> None:
    open_page(page)
    write(page, "Text to encode", "灯台守毎晩" * 134)
    so_far(page, 268, 268)
    press(page, "Home")
    so_far(page, 0, 268)
    press(page, "ArrowRight", 100)
    so_far(page, 100, 268)
    page.locator(".bench .tokens").scroll_into_view_if_needed()
    expect(page.locator(".bench .joint.chosen")).to_be_in_viewport()
    expect(page.locator(".bench .tokens .tok")).to_have_count(40)
    before, after = page.locator(".bench .elsewhere").all_text_contents()
    left_out = [int(re.sub(r"\D", "", text)) for text in (before, after)]
    assert sum(left_out) + 40 == 134 * 15 - 100
    names = page.locator(".chips .char").evaluate_all("groups => groups.map(g => g.dataset.char)")
    assert set(names) == set("灯台守毎晩")


def test_special_tokens_become_one_chip_with_their_id(page: Page) -> None:
    open_page(page, "the hat<|endoftext|>the")
    assert chips(page).count() > 4
    page.get_by_text("Special tokens as tokens").click()
    expect(chips(page)).to_have_count(4)
    on.expect_settled(page)
    special = page.locator(".chip.special")
    special.click()
    expect(special.locator(".tok")).to_have_text("<|endoftext|>")
    expect(special.locator(".id")).to_have_text("50256")
    expect(page.locator(".bench .say")).to_have_text("A special token: taken whole, never cut, never merged.")
    expect(page.get_by_test_id("stCode").first).to_have_text("1169 6877 50256 1169")


# Both orders, and what stays


def test_left_to_right_stands_beside_the_merge_order_where_they_differ(page: Page) -> None:
    open_page(page, "This hotel")
    expect(page.get_by_text("Both orders give the same ids here.")).to_be_visible()
    encode(page, "hotel\nhotel")
    rows = page.locator(".orders tbody tr")
    expect(rows).to_have_count(1)
    expect(rows.locator("th")).to_have_text("hotel 2 times")
    by_rank, left_to_right = rows.locator("td").all()
    assert tokens_of(by_rank) == ["hot", "el"]
    assert by_rank.locator(".id").all_text_contents() == ["8940", "417"]
    assert tokens_of(left_to_right) == ["ho", "te", "l"]
    gpt2 = load_pretrained("gpt2")
    shown = [int(text) for text in left_to_right.locator(".id").all_text_contents()]
    assert shown == gpt2.encode("hotel", order="left-to-right")


def test_the_place_and_the_text_are_kept_while_the_person_is_elsewhere(page: Page) -> None:
    open_page(page, "the hotel")
    chips(page).nth(1).click()
    press(page, "ArrowLeft")
    expect(page.locator(".bench .which")).to_have_text("The merges of ␣hotel")
    where = page.locator(".encoder .field").text_content()
    page.get_by_test_id("stPageLink").filter(has_text="Vocabulary").click()
    expect(page.get_by_role("textbox", name="Search")).to_be_visible()
    on.expect_settled(page)
    page.get_by_test_id("stPageLink").filter(has_text="Encode").click()
    expect_page(page)
    expect(page.get_by_label("Text to encode", exact=True)).to_have_value("the hotel")
    expect(page.locator(".bench .which")).to_have_text("The merges of ␣hotel")
    expect(page.locator(".encoder .field")).to_have_text(where or "")


def test_on_a_phone_nothing_is_wider_than_the_page(page: Page) -> None:
    page.set_viewport_size({"width": 400, "height": 850})
    open_page(page)
    press(page, "ArrowRight", 12)
    inner = page.get_by_test_id("stMain").evaluate("e => [e.scrollWidth, e.clientWidth]")
    assert inner[0] <= inner[1]
    for part in (".bench", ".chips", ".log", ".orders"):
        box = page.locator(part).first.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 400


def test_who_wants_less_motion_gets_less(page: Page) -> None:
    open_page(page, "hotel")
    press(page, "Home")
    moves = "cell => getComputedStyle(cell).animationName"
    press(page, "ArrowRight")
    assert page.locator(".bench .tokens .tok.new").evaluate(moves) == "join"
    page.emulate_media(reduced_motion="reduce")
    press(page, "ArrowRight")
    assert page.locator(".bench .tokens .tok.new").evaluate(moves) == "none"
