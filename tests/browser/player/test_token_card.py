"""The card of one token in Chromium: its tree, its count at every step and its places, against the core."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from bpeviz import Corpus, Tokenizer, Trainer
from bpeviz.runs.samples import read_sample
from bpeviz.text.token_text import hex_bytes, visible
from bpeviz.training.recipes import RECIPES
from bpeviz.training.settings import TrainingSettings
from tests.support import app_page as on
from tests.support.saved_player import open_run
from tests.support.trained import LOW, tokens, trained

#: A box of the tree: label, number of the merge that made it (None for a base token), the boxes below it.
Box = tuple[str, int | None, list["Box"]]

READ_TREE = """
list => {
  const number = text => text === undefined || text === "…" ? null : Number(text.replaceAll(",", ""));
  const read = item => [
    item.querySelector(".label").textContent,
    number(item.querySelector(".node small")?.textContent),
    [...(item.querySelector(":scope > ul")?.children ?? [])].map(read),
  ];
  return read(list.firstElementChild);
}
"""


def card(page: Page) -> Locator:
    return page.get_by_role("region", name="Token", exact=True)


def tree(page: Page) -> Any:
    return card(page).locator(".tree > ul").evaluate(READ_TREE)


def find(page: Page, query: str) -> None:
    field = page.get_by_label("Find a token")
    field.fill(query)
    field.press("Enter")


def stands(page: Page) -> Locator:
    return card(page).locator(".stands")


def nth(page: Page) -> Locator:
    return card(page).locator(".nth")


def place_jumped_to(page: Page) -> tuple[str, int]:
    """The text of the cell that was jumped to, and the byte at which its token starts."""
    here = page.locator(f"{on.CELLS}.here")
    expect(here).to_have_count(1)
    expect(here).to_be_in_viewport()
    return here.text_content() or "", here.evaluate("cell => cell.token.start")


def spans(tokenizer: Tokenizer, text: str) -> list[tuple[int, int, int]]:
    """Every token by the encoder: its id, and the bytes of the text that it stands for."""
    result, start = [], 0
    for token_id in tokenizer.encode(text):
        end = start + len(tokenizer.token_bytes(token_id))
        result.append((token_id, start, end))
        start = end
    return result


def built(tokenizer: Tokenizer, text: str, start: int, end: int) -> Box:
    """How the token from start to end came about, by encoding the text after fewer and fewer merges."""
    token_id = next(
        i for k in range(len(tokenizer.merges) + 1) if (i := whole(tokenizer, text, k, start, end))
    )
    label = visible(tokenizer.token_bytes(token_id))
    for k in range(len(tokenizer.merges) + 1):
        if whole(tokenizer, text, k, start, end) is None:
            continue
        if k == 0:
            return label, None, []
        parts = [(s, e) for _, s, e in spans(tokenizer.after(k - 1), text) if start <= s and e <= end]
        return label, k, [built(tokenizer, text, s, e) for s, e in parts]
    raise AssertionError("no token stands there at any step")


def whole(tokenizer: Tokenizer, text: str, step: int, start: int, end: int) -> int | None:
    found = [i for i, s, e in spans(tokenizer.after(step), text) if (s, e) == (start, end)]
    return found[0] if found else None


def as_lists(box: Box) -> list[Any]:
    return [box[0], box[1], [as_lists(below) for below in box[2]]]


def said(step: int, count: int) -> str:
    merges = "1 merge" if step == 1 else f"{step} merges"
    times = "once" if count == 1 else f"{count} times"
    return f"After {merges} it occurs {times} in the text."


def test_without_a_picked_token_there_is_no_card(page: Page) -> None:
    open_run(page, LOW)
    expect(card(page)).to_have_count(0)
    page.keyboard.press("/")
    expect(page.get_by_label("Find a token")).to_be_focused()
    expect(page.get_by_label("Find a token")).to_have_value("")


@pytest.mark.parametrize("height", [950, 500])
def test_the_card_opens_beside_its_token_and_covers_none_of_it(page: Page, height: int) -> None:
    page.set_viewport_size({"width": 1360, "height": height})
    open_run(page, LOW * 6, step=6)
    cells = page.locator(on.CELLS)
    for i in (0, 5, cells.count() - 1):
        cell = cells.nth(i)
        cell.click()
        expect(card(page)).to_be_in_viewport(ratio=1)
        box, token = card(page).bounding_box(), cell.bounding_box()
        assert box is not None
        assert token is not None
        below, above = box["y"] - (token["y"] + token["height"]), token["y"] - (box["y"] + box["height"])
        assert 0 <= max(below, above) <= 16
        assert box["x"] <= token["x"]
        page.keyboard.press("Escape")
        expect(card(page)).to_have_count(0)
        assert on.marked(page, "picked") == []


def test_on_a_phone_the_card_is_a_sheet_below_its_token(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_run(page, LOW * 6, step=6)
    cell = page.locator(on.CELLS).nth(40)
    cell.click()
    expect(card(page)).to_be_in_viewport(ratio=1)
    box, token = card(page).bounding_box(), cell.bounding_box()
    assert box is not None
    assert token is not None
    assert (box["x"], box["width"]) == (0, 390)
    assert token["y"] + token["height"] <= box["y"]


@pytest.mark.gate
def test_a_token_clicked_says_what_it_is_and_how_it_was_built(page: Page) -> None:
    open_run(page, LOW)
    trainer = trained(LOW)
    tokenizer = trainer.tokenizer()
    step = len(trainer.merges)
    on.go_to(page, step)
    for i, (token_id, start, end) in enumerate(spans(tokenizer, LOW)[:8]):
        page.locator(on.CELLS).nth(i).click()
        expect(page.get_by_role("button", name="Show how its word grows")).to_be_visible()
        token = tokenizer.token_bytes(token_id)
        box = built(tokenizer, LOW, start, end)
        rank = "" if box[1] is None else f"merge {box[1]} · "
        expect(card(page).locator(".swatch")).to_have_text(visible(token))
        expect(card(page).locator(".identity")).to_have_text(
            f"id {token_id} · {rank}{len(token)} {'byte' if len(token) == 1 else 'bytes'} {hex_bytes(token)}"
        )
        assert tree(page) == as_lists(box)
        origin = "in the base vocabulary"
        if box[1] is not None:
            left, right = trainer.merges[box[1] - 1][0]
            parts = [visible(tokenizer.token_bytes(part)) for part in (left, right)]
            origin = f"made from {parts[0]} + {parts[1]}"
        expect(card(page).locator(".origin")).to_have_text(origin)
        hue = page.locator(on.CELLS).nth(i).evaluate("cell => cell.style.getPropertyValue('--hue')")
        for same in (card(page).locator(".swatch"), card(page).locator(".node").first):
            assert same.evaluate("e => e.style.getPropertyValue('--hue')") == hue


def test_the_count_follows_the_step(page: Page) -> None:
    """Of a token made half way that is later taken into others, and of a byte."""
    open_run(page, LOW)
    trainer = trained(LOW)
    tokenizer = trainer.tokenizer()
    for query in ("lo", "w"):
        find(page, query)
        (token_id,) = [i for i, token in tokenizer.vocabulary.items() if token == query.encode()]
        made = [made_id for _, made_id in trainer.merges].index(token_id) if len(query) > 1 else -1
        on.go_to(page, 0)
        seen = set()
        for step in range(len(trainer.merges) + 1):
            if step:
                page.keyboard.press("ArrowRight")
            on.expect_step(page, step)
            count = tokenizer.after(step).encode(LOW).count(token_id)
            after = f"After {step} {'merge' if step == 1 else 'merges'} it"
            if count:
                seen.add("some")
                expect(stands(page)).to_have_text(said(step, count))
                expect(nth(page)).to_have_text(f"– of {count}")
            elif step <= made:
                seen.add("not yet")
                expect(stands(page)).to_have_text(f"{after} doesn't occur yet: merge {made + 1} makes it.")
                expect(nth(page)).to_be_hidden()
            else:
                seen.add("no more")
                gone = f"{after} no longer occurs: each is now part of a longer token."
                expect(stands(page)).to_have_text(gone)
        assert seen == ({"some", "not yet", "no more"} if len(query) > 1 else {"some", "no more"})


def test_it_goes_to_the_step_just_after_the_merge(page: Page) -> None:
    open_run(page, LOW)
    trainer = trained(LOW)
    find(page, "slow")
    rank = [trainer.token_bytes(token_id) for _, token_id in trainer.merges].index(b"slow")
    expect(stands(page)).to_have_text(f"After 0 merges it doesn't occur yet: merge {rank + 1} makes it.")
    page.get_by_role("button", name=f"Go to merge {rank + 1}", exact=True).click()
    on.expect_step(page, rank + 1)
    assert on.marked(page, "new")[0] == "slow"
    expect(stands(page)).to_have_text(said(rank + 1, on.cells(page).count("slow")))
    on.go_to(page, len(trainer.merges))
    find(page, "o")
    page.get_by_role("button", name="Go to the start").click()
    on.expect_step(page, 0)
    expect(stands(page)).to_have_text(said(0, LOW.count("o")))


@pytest.mark.gate
def test_jumps_land_on_every_occurrence_in_turn_and_wrap_around(page: Page) -> None:
    text = "".join(f"{n}: the weather, the whether, the wether\n" for n in range(400))
    open_run(page, text)
    tokenizer = trained(text).tokenizer().after(12)
    on.go_to(page, 12)
    i, (token_id, start, end) = next((i, s) for i, s in enumerate(spans(tokenizer, text)) if s[2] - s[1] > 3)
    places = [s for found, s, _ in spans(tokenizer, text) if found == token_id]
    token = text[start:end]
    assert len(places) > 400
    assert places.index(start) == 0
    page.locator(on.CELLS).nth(i).click()
    expect(nth(page)).to_have_text(f"1 of {len(places):,}")
    following = page.get_by_role("button", name="Next occurrence")
    previous = page.get_by_role("button", name="Previous occurrence")
    total = len(places)
    for button, n in ((following, 1), (following, 2), (previous, 1), (previous, 0), (previous, total - 1)):
        button.click()
        expect(nth(page)).to_have_text(f"{n + 1:,} of {total:,}")
        assert place_jumped_to(page) == (token, places[n])
    following.click()
    assert place_jumped_to(page) == (token, places[0])


def test_n_and_p_jump_and_after_a_step_go_on_from_the_same_place(page: Page) -> None:
    open_run(page, LOW)
    tokenizer = trained(LOW).tokenizer()
    find(page, "low")
    (low,) = [i for i, token in tokenizer.vocabulary.items() if token == b"low"]
    at = {k: [s for i, s, _ in spans(tokenizer.after(k), LOW) if i == low] for k in range(9)}
    many = max(at, key=lambda k: len(at[k]))
    fewer = next(k for k in at if k > many and 0 < len(at[k]) < len(at[many]))
    on.go_to(page, many)
    page.locator(".curve").focus()
    page.keyboard.press("n")
    assert place_jumped_to(page) == ("low", at[many][0])
    page.keyboard.press("n")
    page.keyboard.press("n")
    assert place_jumped_to(page) == ("low", at[many][2])
    expect(nth(page)).to_have_text(f"3 of {len(at[many])}")
    on.go_to(page, fewer)
    before = [s for s in at[fewer] if s < at[many][2]]
    page.locator(".curve").focus()
    page.keyboard.press("p")
    assert place_jumped_to(page) == ("low", (before or at[fewer])[-1])


def test_a_token_is_found_by_text_glyphs_bytes_or_id(page: Page) -> None:
    open_run(page, LOW)
    tokenizer = trained(LOW).tokenizer()
    for query, token in (
        ("low", b"low"),
        ("␣slow", b" slow"),
        ("6c", b"l"),
        (" slow", b" slow"),
        ("e", b"e"),
        ("20 73 6C 6F 77", b" slow"),
        ("258", tokenizer.token_bytes(258)),
        ("20736c6f77", b" slow"),
    ):
        find(page, query)
        (token_id,) = [i for i, found in tokenizer.vocabulary.items() if found == token]
        expect(card(page).locator(".swatch")).to_have_text(visible(token))
        expect(card(page).locator(".identity")).to_contain_text(f"id {token_id} ·")
        expect(page.get_by_role("listbox", name="Tokens found")).to_be_hidden()


def test_an_unknown_token_is_said_to_be_unknown_and_stays_typed(page: Page) -> None:
    open_run(page, LOW)
    find(page, "lo")
    find(page, "zebra crossing")
    expect(page.locator(".unfound")).to_have_text(
        "No token contains this text, and none has these bytes or this id."
    )
    expect(page.get_by_label("Find a token")).to_have_value("zebra crossing")
    expect(card(page).locator(".swatch")).to_have_text("lo")
    page.get_by_label("Find a token").fill("l")
    expect(page.locator(".unfound")).to_be_empty()


def test_suggestions_put_the_exact_one_first_then_those_that_begin_alike(page: Page) -> None:
    open_run(page, LOW)
    labels = {i: visible(token) for i, token in trained(LOW).tokenizer().vocabulary.items()}
    page.get_by_label("Find a token").fill("lo")
    begin = [i for i, label in labels.items() if label.startswith("lo")]
    begin.sort(key=lambda i: labels[i] != "lo")
    contain = [i for i, label in labels.items() if "lo" in label and i not in begin]
    options = page.get_by_role("listbox", name="Tokens found").get_by_role("option")
    expect(options.locator(".label")).to_have_text([labels[i] for i in begin + contain])
    expect(options.locator("small")).to_have_text(
        [f"text, id {begin[0]}", *(f"id {i}" for i in (begin + contain)[1:])]
    )
    field = page.get_by_label("Find a token")
    field.press("ArrowDown")
    field.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    field.press("ArrowUp")
    field.press("ArrowUp")
    expect(options.last).to_have_attribute("aria-selected", "true")
    field.press("Enter")
    expect(card(page).locator(".swatch")).to_have_text(labels[(begin + contain)[-1]])
    page.get_by_role("button", name="Close the token's card").click()  # it may cover the list
    field.fill("s")
    options.nth(1).click()
    expected = [i for i, label in labels.items() if label.startswith("s")]
    expect(card(page).locator(".swatch")).to_have_text(labels[expected[1]])
    field.fill("")
    expect(options).to_have_count(0)


def test_enter_picks_the_first_match_of_what_was_typed(page: Page) -> None:
    open_run(page, LOW)
    matches = [t for t in trained(LOW).tokenizer().vocabulary.values() if b"slowe" in t]
    assert b"slowe" not in matches
    find(page, "slowe")
    expect(card(page).locator(".swatch")).to_have_text(visible(matches[0]))
    expect(page.locator(".unfound")).to_be_empty()
    expect(page.get_by_role("listbox", name="Tokens found")).to_be_hidden()


def test_esc_in_the_field_closes_the_list_then_the_card(page: Page) -> None:
    open_run(page, LOW, step=6)
    page.keyboard.press("/")
    field = page.get_by_label("Find a token")
    field.fill("low")
    field.press("ArrowDown")
    field.press("Enter")
    expect(card(page)).to_be_visible()
    field.fill("lo")
    field.press("Escape")
    expect(page.get_by_role("listbox", name="Tokens found")).to_be_hidden()
    expect(card(page)).to_be_visible()
    field.press("Escape")
    expect(card(page)).to_have_count(0)
    expect(field).to_have_value("lo")
    expect(field).to_be_focused()


def test_a_card_without_its_token_in_view_does_not_float_over_presenting(page: Page) -> None:
    open_run(page, LOW)
    find(page, " lowlands")  # nowhere in the text at the start
    expect(card(page)).to_be_visible()
    page.locator(".curve").focus()
    page.keyboard.press("f")
    expect(card(page)).to_have_count(0)


def test_an_open_card_hides_the_tip_of_its_token(page: Page) -> None:
    open_run(page, LOW, step=6)
    cell, other = (page.locator(on.CELLS).nth(i) for i in (2, 12))
    cell.hover()
    tip = page.locator(".card.main .tip")
    expect(tip).to_be_visible()
    cell.click()
    expect(card(page)).to_be_visible()
    expect(tip).to_be_hidden()
    cell.hover(position={"x": 2, "y": 6})
    expect(tip).to_be_hidden()
    assert cell.text_content() != other.text_content()
    other.hover(force=True)
    page.mouse.move(5, 5)
    page.get_by_role("button", name="Close the token").click()
    cell.hover()
    expect(tip).to_be_visible()


@pytest.mark.gate
def test_a_box_of_the_tree_picks_its_token_and_there_is_a_way_back(page: Page) -> None:
    open_run(page, LOW)
    tokenizer = trained(LOW).tokenizer()
    on.go_to(page, len(tokenizer.merges))
    find(page, " lowest")
    whole_tree = tree(page)
    label, merge, below = next(box for box in whole_tree[2] if box[1] is not None)
    page.get_by_role("button", name=f"{label}, made by merge {merge}", exact=True).first.click()
    expect(card(page).locator(".swatch")).to_have_text(label)
    assert tree(page) == [label, merge, below]
    page.get_by_role("button", name=f"Back to {whole_tree[0]}").click()
    assert tree(page) == whole_tree
    expect(card(page).locator(".node").first).to_be_focused()
    expect(card(page).get_by_role("button", name="Back to")).to_have_count(0)


def test_the_tree_is_one_stop_of_the_tab_key_and_arrows_walk_it(page: Page) -> None:
    open_run(page, LOW)
    find(page, "low")
    nodes = card(page).locator(".tree .node")
    nodes.first.focus()
    page.keyboard.press("Shift+Tab")
    expect(nodes.first).not_to_be_focused()
    page.keyboard.press("Tab")
    expect(nodes.first).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(nodes.nth(2)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(nodes.nth(1)).to_be_focused()
    label = nodes.nth(1).locator(".label").text_content() or ""
    page.keyboard.press("Enter")
    expect(card(page).locator(".swatch")).to_have_text(label)
    expect(nodes.first).to_be_focused()
    page.keyboard.press("ArrowRight")
    on.expect_step(page, 1)


def test_the_token_walked_to_is_picked_by_enter(page: Page) -> None:
    open_run(page, LOW, step=6)
    page.locator(".curve").focus()
    for _ in range(3):
        page.keyboard.press(".")
    page.keyboard.press("Enter")
    expect(card(page).locator(".swatch")).to_have_text(visible(on.cells(page)[2].encode()))
    page.get_by_role("button", name="Close the token's card").click()
    expect(card(page)).to_have_count(0)
    assert on.marked(page, "picked") == []
    find(page, "low")
    page.get_by_role("button", name="Close the token's card").click()
    expect(page.get_by_label("Find a token")).to_be_focused()


def test_sixty_four_spaces_are_a_whole_tree_that_scrolls(page: Page) -> None:
    text = ("x" + " " * 65) * 20 + "x"
    open_run(page, text)
    tokenizer = trained(text).tokenizer()
    find(page, " " * 64)
    _, start, end = next(s for s in spans(tokenizer, text) if s[2] - s[1] == 64)
    nodes = card(page).locator(".tree .node")
    expect(nodes).to_have_count(127)
    assert tree(page) == as_lists(built(tokenizer, text, start, end))
    box = card(page).bounding_box()
    assert box is not None
    assert box["x"] + box["width"] < 1360
    last = nodes.last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()


def test_a_deep_tree_is_drawn_in_part_and_its_boxes_lead_on(page: Page) -> None:
    text = "".join(f"x{' ' * 513}" for _ in range(8)) + "x"
    open_run(page, text)
    tokenizer = trained(text).tokenizer()
    find(page, " " * 512)
    nodes = card(page).locator(".tree .node")
    expect(nodes).to_have_count(149)
    folded = card(page).locator(".node.folded")
    label = folded.first.locator(".label").text_content() or ""
    expect(folded.first).to_have_accessible_name(re.compile(r", made by merge \d+, more below$"))
    folded.first.click()
    expect(card(page).locator(".swatch")).to_have_text(label)
    size = len(label)
    _, start, _ = next(s for s in spans(tokenizer, text) if s[2] - s[1] == 512)
    assert tree(page) == as_lists(built(tokenizer, text, start, start + size))


def test_part_of_a_character_is_shown_in_hex(page: Page) -> None:
    text = "灯台の灯 灯台の灯 灯台の灯"
    open_run(page, text)
    tokenizer = trained(text).tokenizer()
    on.go_to(page, len(tokenizer.merges))
    _, start, end = spans(tokenizer, text)[0]
    page.locator(on.CELLS).first.click()
    box = built(tokenizer, text, start, end)
    assert tree(page) == as_lists(box)
    leaves = card(page).locator(".node.leaf .label").all_text_contents()
    assert bytes.fromhex("".join(leaves)) == "灯台の灯".encode()


@pytest.mark.parametrize("recipe", ["subword-nmt", "llms-from-scratch-simple"])
def test_trees_and_counts_of_other_recipes(page: Page, recipe: str) -> None:
    """Of characters of several bytes too, of word ends, and of ids that begin elsewhere."""
    text = "灯台の灯 low 灯台 lower 灯台の low\n" * 4
    open_run(page, text, TrainingSettings(recipe))
    trainer = Trainer(Corpus.from_text(text, RECIPES[recipe].split), recipe, num_merges=500, min_frequency=2)
    list(trainer.steps())
    for step in (0, 2, 8):
        on.go_to(page, step)
        for i in (0, 1, 3):
            cell = page.locator(on.CELLS).nth(i)
            spelling = cell.text_content() or ""
            cell.click()
            token_id = check_card(page, trainer, spelling)
            # "LLMs from scratch" encodes by words but trains on the whole text; all of it is in view.
            count = (
                on.cells(page).count(spelling)
                if recipe.startswith("llms")
                else trainer.tokenizer().after(step).encode(text).count(token_id)
            )
            expect(stands(page)).to_have_text(said(step, count))


def check_card(page: Page, trainer: Trainer, spelling: str) -> int:
    """The id is of these bytes, and the tree is that of its merges; gives the id."""
    found = re.match(r"id (\d+) ·", card(page).locator(".identity").inner_text())
    assert found
    token_id = int(found[1])
    token = trainer.token_bytes(token_id)
    expect(card(page).locator(".swatch")).to_have_text(visible(token))
    if is_whole(token):
        assert token.decode().removesuffix("</w>") == spelling
    else:
        assert hex_bytes(token) == spelling
    assert tree(page) == as_lists(by_ids(trainer, token_id))
    return token_id


def by_ids(trainer: Trainer, token_id: int) -> Box:
    made = [i for _, i in trainer.merges]
    assert len(made) == len(set(made))
    label = visible(trainer.token_bytes(token_id))
    if token_id not in made:
        return label, None, []
    rank = made.index(token_id)
    left, right = trainer.merges[rank][0]
    return label, rank + 1, [by_ids(trainer, left), by_ids(trainer, right)]


def test_right_to_left_tokens_are_laid_out_from_the_right(page: Page) -> None:
    text = read_sample("Arabic")
    open_run(page, text)
    tokenizer = trained(text).tokenizer()
    page.get_by_role("button", name="Last").click()
    data = text.encode()
    pieces = [(data[start:end], start, end) for _, start, end in spans(tokenizer, text)]
    token, start, end = next(
        p for p in pieces if len(p[0]) >= 8 and is_whole(p[0]) and p[0].decode().strip().isalpha()
    )
    find(page, token.decode())
    assert tree(page) == as_lists(built(tokenizer, text, start, end))
    below = card(page).locator(".tree > ul > li > ul > li")
    boxes = [below.nth(n).bounding_box() for n in range(2)]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["x"] > boxes[1]["x"]


def is_whole(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def test_the_card_says_the_same_as_the_cells_while_playing(page: Page) -> None:
    open_run(page, LOW)
    find(page, "lo")
    on.play(page, 60)
    last = len(trained(LOW).merges)
    on.expect_step(page, last)
    count = tokens(trained(LOW).tokenizer(), LOW).count("lo")
    assert count == 0
    expect(stands(page)).to_have_text(re.compile(f"^After {last} merges it no longer occurs"))


def test_the_list_of_tokens_found_is_not_under_the_card(page: Page) -> None:
    page.set_viewport_size({"width": 1360, "height": 950})
    open_run(page, LOW, step=6)
    page.locator(f"{on.CELLS}:not(.one)").first.click()
    expect(card(page)).to_be_visible()
    page.get_by_label("Find a token").fill("lo")
    found = page.locator(".found li")
    expect(found.first).to_be_visible()
    expect(card(page)).to_be_hidden()
    found.first.click()
    expect(found.first).to_be_hidden()
    expect(card(page)).to_be_visible()


@pytest.mark.parametrize(("motion", "speed"), [("no-preference", "10"), ("reduce", "2")])
def test_a_saved_page_plays_slowly_for_people_who_want_less_motion(
    page: Page, motion: Any, speed: str
) -> None:
    page.emulate_media(reduced_motion=motion)
    open_run(page, LOW)
    expect(page.get_by_label("Merges per second")).to_have_value(speed)
