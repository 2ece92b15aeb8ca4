"""The encode page in Chromium: what a person reads of the merges, the ids, the answers and the orders."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from bpeviz import load_pretrained
from tests.support import app_page as on
from tests.support.gpt2_of_tiktoken import reference
from tests.support.prepared_session import save_session
from tests.support.trained import trained
from tests.support.waiting import wait_for

CORPUS = "the cat in the hat and the cat on the mat. " * 5
JAPANESE = "灯台の灯🚢👩‍🚀"
HIT = "document.title='hit'"
HOSTILE = f'<img src=x onerror="{HIT}"> **b** [a](b) :smile: `c`\n<script>{HIT}</script>'


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
    parts = page.locator(".bench .tok, .bench .joint")
    return [" ".join(text.split()) if "rank" in text else text for text in parts.all_text_contents()]


def chips(page: Page) -> Locator:
    return page.locator(".chips .chip")


def tokens_of(chip: Locator) -> list[str]:
    return chip.locator(".tok").all_text_contents()


def log(page: Page) -> list[list[str]]:
    rows = page.locator(".log tbody tr")
    return [[cell.text_content() or "" for cell in row.locator("td").all()] for row in rows.all()]


def so_far(page: Page, made: int, of: int) -> None:
    expect(page.locator(".encoder .field")).to_have_text(f"{made:,} of {of:,} merges")


def press(page: Page, key: str, times: int = 1) -> None:
    for _ in range(times):
        page.keyboard.press(key)


def panel_of(page: Page, title: str) -> Locator:
    """The card with this title, the innermost one."""
    return page.get_by_test_id("stVerticalBlock").filter(has=page.get_by_text(title, exact=True)).last


def says(text: str) -> re.Pattern[str]:
    """A text with marks between its letters that keep right-to-left ones in their quotation marks."""
    return re.compile("[\u2068\u2069]?".join(map(re.escape, text)))


# The merges


@pytest.mark.gate
def test_a_word_of_gpt2_is_merged_in_rank_order_before_ones_eyes(page: Page) -> None:
    open_page(page, "hotel")
    so_far(page, 0, 3)
    say = page.locator(".bench .say")
    assert bench(page) == ["h", "rank 8,617", "o", "rank 57", "t", "rank 404", "e", "rank 161", "l"]
    expect(page.locator(".joint.chosen")).to_have_text("rank 57")
    expect(say).to_have_text("Of 4 pairs that have a merge, rank 57 is the lowest: o + t become ot.")
    press(page, "ArrowRight")
    assert bench(page) == ["h", "rank 8,684", "ot", "rank 1,002", "e", "rank 161", "l"]
    expect(page.locator(".bench .tok.new")).to_have_text("ot")
    expect(page.locator(".joint.chosen")).to_have_text("rank 161")
    press(page, "ArrowRight")
    assert bench(page) == ["h", "rank 8,684", "ot", "—", "el"]
    expect(say).to_have_text("Only one pair has a merge, of rank 8,684: h + ot become hot.")
    press(page, "ArrowRight")
    assert bench(page) == ["hot", "—", "el"]
    expect(say).to_have_text("No merge joins any two neighbours: it ends as 2 tokens.")
    assert log(page) == [
        ["3", "8,684", "h + ot → hot"],
        ["2", "161", "e + l → el"],
        ["1", "57", "o + t → ot"],
    ]
    so_far(page, 3, 3)
    assert chips(page).locator(".id").all_text_contents() == ["8940", "417"]
    press(page, "ArrowLeft", 2)
    assert bench(page) == ["h", "rank 8,684", "ot", "rank 1,002", "e", "rank 161", "l"]
    assert len(log(page)) == 1


@pytest.mark.gate
def test_the_ranks_and_ids_of_a_text_are_tiktokens(page: Page) -> None:
    theirs = reference()
    text = "Weathered lighthouse keepers, unhappily retokenized."
    open_page(page, text)
    press(page, "End")
    expect(chips(page).last).to_have_attribute("aria-current", "step")
    shown = [int(text) for text in page.locator(".chips .id").all_text_contents()]
    assert shown == theirs.encode_ordinary(text)
    for number, rank, merge in log(page):
        pair, token = merge.split(" → ")
        assert "".join(pair.split(" + ")) == token, number
        # tiktoken numbers 256 bytes before the first merge
        id_of_tiktoken = theirs.encode_single_token(token.replace("\u00b7", " "))
        assert id_of_tiktoken == int(rank.replace(",", "")) + 256


def test_each_pre_token_is_seen_before_and_after_its_merges(page: Page) -> None:
    open_page(page, "the cat!")
    which = page.locator(".bench .which")
    expect(which).to_contain_text("Pre-token 1 of 3: the")
    press(page, "ArrowRight", 2)
    expect(page.locator(".bench .say")).to_have_text("One token is left: the, id 1169.")
    press(page, "ArrowRight")
    expect(which).to_contain_text("Pre-token 2 of 3: ␣cat")
    assert tokens_of(chips(page).nth(0)) == ["the"]
    assert tokens_of(chips(page).nth(1)) == [" ", "c", "a", "t"]
    press(page, ".")
    expect(which).to_contain_text("Pre-token 3 of 3: !")
    expect(page.locator(".bench .say")).to_have_text("A single base symbol, with nothing to merge: !, id 0.")
    press(page, ",")
    assert tokens_of(chips(page).nth(1)) == [" ", "c", "a", "t"]
    chips(page).nth(0).click()
    expect(which).to_contain_text("Pre-token 1 of 3: the")
    assert bench(page) == ["t", "rank 144", "h", "rank 2", "e"]
    press(page, "Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(chips(page).last).to_have_attribute("aria-current", "step")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert [tokens_of(chip) for chip in chips(page).all()] == [["the"], [" cat"], ["!"]]


@pytest.mark.gate
def test_the_buttons_do_what_the_keys_do(page: Page) -> None:
    open_page(page, "the cat")
    for name, made in (("Next", 1), ("Next", 2), ("Back", 1), ("Last", 5), ("First", 0)):
        page.get_by_role("button", name=name, exact=True).click()
        so_far(page, made, 5)


def test_keys_in_a_field_are_the_fields(page: Page) -> None:
    open_page(page, "the cat")
    page.get_by_label("Text to encode").focus()
    press(page, "End")
    press(page, "ArrowLeft")
    so_far(page, 0, 5)


def test_a_merge_of_the_list_leads_back_to_it(page: Page) -> None:
    open_page(page, "the cat")
    press(page, "End")
    so_far(page, 5, 5)
    page.locator(".log tbody tr").last.click()
    so_far(page, 1, 5)
    assert bench(page) == ["t", "rank 913", "he"]


def test_a_run_with_fewer_merges_has_fewer_steps(page: Page) -> None:
    page.goto(f"/encode{save_session(CORPUS)}")
    expect_page(page)
    tokenizer = trained(CORPUS).tokenizer()
    encode(page, "the cat")
    so_far(page, 0, len(tokenizer.trace("the cat")))
    slider = page.get_by_role("slider", name="Merges used")
    slider.focus()
    press(page, "Home")
    press(page, "ArrowRight", 3)
    expect(slider).to_have_value("3")
    on.expect_settled(page)
    slider.blur()
    expected = tokenizer.after(3)
    so_far(page, 0, len(expected.trace("the cat")))
    press(page, "End")
    shown = [int(text) for text in page.locator(".chips .id").all_text_contents()]
    assert shown == expected.encode("the cat")


# Texts of every kind


@pytest.mark.gate
def test_parts_of_characters_are_hex_cells_that_say_what_they_belong_to(page: Page) -> None:
    gpt2 = load_pretrained("gpt2")
    open_page(page, JAPANESE)
    assert on.spelled_bytes(page.locator(".chips .tok")) == JAPANESE.encode()
    expect(chips(page).first.locator(".char").first).to_have_attribute("data-char", "灯")
    press(page, "End")
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
    so_far(page, 0, 268)
    press(page, "ArrowRight", 100)
    so_far(page, 100, 268)
    expect(page.locator(".bench .joint.chosen")).to_be_in_viewport()
    expect(page.locator(".bench .tok")).to_have_count(40)
    before, after = page.locator(".bench .elsewhere").all_text_contents()
    left_out = [int(re.sub(r"\D", "", text)) for text in (before, after)]
    assert sum(left_out) + 40 == 134 * 15 - 100
    names = page.locator(".chips .char").evaluate_all("groups => groups.map(g => g.dataset.char)")
    assert set(names) == set("灯台守毎晩")


def test_what_a_person_writes_is_text_wherever_it_shows(page: Page) -> None:
    open_page(page, HOSTILE)
    press(page, "End")
    write(page, "A part of the text", HOSTILE[:20])
    write(page, "Token ids to decode", "<img src=x onerror=alert(1)> 1212")
    assert on.spelled_bytes(page.locator(".chips .tok")) == HOSTILE.replace("\n", "").encode()
    expect(page.get_by_test_id("stAlert")).to_contain_text("“<img”, “src=x”, “onerror=alert”, “>” are")
    assert page.locator(".stMain img, .encoder img, .stMain script").count() == 0
    assert page.title() != "hit"
    answer = panel_of(page, "Why is this word not one token?")
    expect(answer).to_contain_text(says('“<img␣src=x␣onerror="” is not one token'))


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


# Ids, answers, orders


def test_ids_go_round(page: Page) -> None:
    open_page(page, "naïve café 🚢")
    ids = load_pretrained("gpt2").encode("naïve café 🚢")
    codes = page.get_by_test_id("stCode")
    expect(codes.nth(0)).to_have_text(" ".join(map(str, ids)))
    expect(page.get_by_label("Token ids to decode")).to_have_value(" ".join(map(str, ids)))
    expect(codes.nth(1)).to_have_text("naïve café 🚢")
    expect(page.get_by_text("exactly the text above")).to_be_visible()
    write(page, "Token ids to decode", "[1212, 318, 617, 2420]")
    expect(codes.nth(1)).to_have_text("This is some text")
    expect(page.get_by_text("17 bytes, not the text above")).to_be_visible()
    write(page, "Token ids to decode", "1212 nine 60000")
    expect(page.get_by_test_id("stAlert")).to_have_text(
        "“nine” is not a whole number. “60000” is not an id of this tokenizer."
    )
    page.get_by_role("button", name="The ids of the text again").click()
    expect(page.get_by_test_id("stAlert")).to_have_count(0)
    on.expect_settled(page)
    expect(page.get_by_label("Token ids to decode")).to_have_value(" ".join(map(str, ids)))


@pytest.mark.gate
def test_why_a_word_is_not_one_token(page: Page) -> None:
    open_page(page, "the hat, that's a hotel")
    said = panel_of(page, "Why is this word not one token?")
    for part, verdict in (
        ("hat", "“hat” is not one token here: merge 34 (rank 33) joins its “h” to the “␣” before it."),
        ("the", "“the” is one token, id 1169, first made in training by merge 914 (rank 913)."),
        (" that's", "“␣that's” is not one token: the split pattern “gpt2” cuts it."),
        (" a hotel", "“␣a␣hotel” is not one token: the split pattern “gpt2” cuts it."),
    ):
        write(page, "A part of the text", part)
        expect(said).to_contain_text(says(verdict))
    write(page, "A part of the text", "zebra")
    expect(said.get_by_test_id("stAlert")).to_have_text("The text above does not hold “zebra”.")


def test_left_to_right_stands_beside_the_rank_order_where_they_differ(page: Page) -> None:
    open_page(page, "This hotel")
    expect(page.get_by_text("Here both orders give the same ids.")).to_be_visible()
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


def test_a_text_too_long_is_said_and_kept(page: Page) -> None:
    open_page(page)
    on.paste(page, "Text to encode", "word " * 1001)
    page.get_by_label("Text to encode").press("Control+Enter")
    expect(page.get_by_test_id("stAlert")).to_contain_text("5,005 characters, 5 more than the 5,000")
    expect(page.get_by_label("Text to encode")).to_have_value("word " * 1001)


def test_the_place_and_the_text_are_kept_while_the_person_is_elsewhere(page: Page) -> None:
    open_page(page, "the hotel")
    press(page, "ArrowRight", 3)
    expect(page.locator(".bench .which")).to_contain_text("Pre-token 2 of 2")
    page.get_by_test_id("stPageLink").filter(has_text="Watch merges").click()
    expect(page.get_by_label("Text to learn from")).to_be_visible()
    on.expect_settled(page)
    page.get_by_test_id("stPageLink").filter(has_text="Encode").click()
    expect_page(page)
    expect(page.get_by_label("Text to encode")).to_have_value("the hotel")
    expect(page.locator(".bench .which")).to_contain_text("Pre-token 2 of 2")


@pytest.mark.gate
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
    moves = "cell => getComputedStyle(cell).animationName"
    press(page, "ArrowRight")
    assert page.locator(".bench .tok.new").evaluate(moves) == "join"
    page.emulate_media(reduced_motion="reduce")
    press(page, "ArrowRight")
    assert page.locator(".bench .tok.new").evaluate(moves) == "none"
