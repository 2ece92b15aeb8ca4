"""Forks in Chromium: a pair chosen or vetoed, both runs side by side; runs named, turned to, dropped."""

import re
from itertools import accumulate

import pytest
from playwright.sync_api import Page, expect

from bpeviz import Choice, Corpus, Trainer, steps_with
from tests.support import app_page as on
from tests.support.prepared_session import open_run
from tests.support.trained import LOW, shown, tokens, trained
from tests.support.waiting import wait_for

STEP = 3
VERDICT = ".st-key-two_futures"
MAIN, OTHER = ".card.main .tok", ".card.other .tok"


def forked(choice: Choice) -> Trainer:
    trainer = Trainer(Corpus.from_text(LOW), "huggingface", num_merges=500, min_frequency=2)
    list(steps_with(trainer, [choice]))
    return trainer


def ends(cells: list[str]) -> set[int]:
    return set(accumulate(map(len, cells)))


def only(page: Page, cells: str) -> set[int]:
    """Where the cells end that are marked as a boundary only this run has."""
    marked = page.locator(cells).evaluate_all("cells => cells.map(c => c.classList.contains('only'))")
    lengths = accumulate(map(len, page.locator(cells).all_text_contents()))
    return {end for end, is_marked in zip(lengths, marked, strict=True) if is_marked}


def fourth_pair(trainer: Trainer) -> tuple[int, int]:
    row = trainer.history().pair_counts(STEP).iloc[3]
    return int(row["left"]), int(row["right"])


@pytest.mark.gate
def test_a_pair_chosen_by_its_bar_is_merged_and_both_futures_stand_side_by_side(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    parent = trained(LOW)
    choice = Choice(STEP, fourth_pair(parent))
    fork = forked(choice)
    on.fork(page, 3)
    on.expect_step(page, STEP)
    expect(page.locator(".say")).to_contain_text(f"joins {shown(fork, choice.pair)}, seen")
    expect(page.locator(".say")).to_contain_text("You chose it, not the recipe.")
    expect(page.locator(".panel .why").first).to_contain_text("You chose it. ")
    for step in (STEP, STEP + 1, STEP + 4, len(fork.merges)):
        on.go_to(page, step)
        mine, others = tokens(fork.tokenizer().after(step)), tokens(parent.tokenizer().after(step))
        assert page.locator(MAIN).all_text_contents() == mine
        assert page.locator(OTHER).all_text_contents() == others
        assert only(page, MAIN) == ends(mine) - ends(others)
        assert only(page, OTHER) == ends(others) - ends(mine)
    on.stop_at(page, STEP + 1)
    page.get_by_text("Where they differ").click()
    expect(page.get_by_text(f"Merge {STEP + 1} is the first that differs.")).to_be_visible()
    totals = [len(tokens(of.tokenizer().after(STEP + 1))) for of in (fork, parent)]
    name = f"{shown(fork, choice.pair)} at {STEP + 1}"
    now = f"Now, after {STEP + 1} merges: {totals[0]} tokens in L {name}, {totals[1]} in R pasted text."
    expect(page.get_by_text(now)).to_be_visible()


def test_a_fork_leads_with_its_verdict_and_jumps_to_the_first_difference(page: Page) -> None:
    text = "".join(f"line {n}: one and two and three\n" for n in range(200)) + LOW
    open_run(page, text, step=40)
    on.fork(page, 3)
    on.go_to(page, 0)
    expect(page.locator(VERDICT).get_by_text(re.compile("^With 49 merges "))).to_be_visible()
    page.get_by_role("button", name="Show the first difference").click()
    on.expect_step(page, 41)
    flashed = page.locator(f"{MAIN}.here")
    expect(flashed).to_be_in_viewport()
    mine, others = (page.locator(cells).all_text_contents() for cells in (MAIN, OTHER))
    place = flashed.evaluate("cell => [...cell.closest('.text').querySelectorAll('.tok')].indexOf(cell)")
    assert mine[:place] == others[:place]
    assert mine[place] != others[place]


def test_a_tie_that_changes_nothing_is_said_in_words(page: Page) -> None:
    open_run(page, "ab cd ab cd")
    on.fork(page, 1)
    says = "Same number of tokens at every step: the tie didn't matter here."
    expect(page.locator(VERDICT).get_by_text(says)).to_be_visible()
    expect(on.figure(page, "Difference in tokens")).to_have_count(0)


def test_a_fork_by_key_shows_and_announces_the_verdict_and_keeps_the_bar(page: Page) -> None:
    page.set_viewport_size({"width": 1366, "height": 500})
    page.emulate_media(reduced_motion="reduce")
    open_run(page, LOW, step=STEP)
    for key in ("b", "ArrowDown", "ArrowDown", "m"):
        page.keyboard.press(key)
    expect(page.locator(OTHER).first).to_be_visible()
    on.expect_settled(page)
    verdict = page.locator(f"{VERDICT} p").first
    expect(page.locator(".panel [role=status]")).to_have_text(verdict.text_content() or "-")
    expect(verdict).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.activeElement.shadowRoot?.activeElement?.closest('.bars') !== null")


def test_a_fork_is_marked_on_the_scrubber(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    expect(page.locator(".fork-mark")).to_have_count(0)
    on.fork(page, 3)
    mark = page.locator(".fork-mark")
    expect(mark).to_have_text("fork")
    expect(mark).to_have_attribute("title", f"You chose merge {STEP + 1}")
    scrubber = page.locator(".curve").bounding_box()
    place = mark.bounding_box()
    assert scrubber
    assert place
    merges = len(forked(Choice(STEP, fourth_pair(trained(LOW)))).merges)
    assert abs(place["x"] - scrubber["x"] - scrubber["width"] * STEP / merges) < 2
    assert scrubber["y"] - 4 <= place["y"] <= scrubber["y"] + scrubber["height"]


def test_a_vetoed_pair_is_never_merged(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    parent = trained(LOW)
    pair = parent.merges[STEP][0]
    fork = forked(Choice(STEP, pair, "veto"))
    on.pick(page, shown(parent, pair))
    page.get_by_role("button", name="Never merge it").click()
    expect(page.locator(OTHER).first).to_be_visible()
    on.expect_one_player(page)
    expect(page.locator(".say")).to_contain_text(f"joins {shown(fork, fork.merges[STEP][0])}, seen")
    on.go_to(page, len(fork.merges))
    assert page.locator(MAIN).all_text_contents() == tokens(fork.tokenizer())
    expect(page.locator(".card.main .title")).to_have_text(f"without {shown(parent, pair)} from {STEP + 1}")
    expect(page.get_by_text(f"without {shown(parent, pair)} from merge {STEP + 1} on").first).to_be_visible()
    says = f"From merge {STEP + 1} on you never merge {shown(parent, pair)}"
    flag = page.locator(".fork-mark")
    assert re.sub("[\u2068\u2069]", "", flag.get_attribute("title") or "") == says
    flag.hover(force=True)
    tip = re.sub("[\u2068\u2069]", "", page.locator(".pointed-at").inner_text())
    assert tip.splitlines()[1:] == [says]


@pytest.mark.gate
def test_runs_are_listed_named_turned_to_and_dropped(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    on.fork(page, 3)
    fork = forked(Choice(STEP, fourth_pair(trained(LOW))))
    page.get_by_role("button", name="Rename or delete").click()
    field = page.get_by_label("Name of this run")
    field.fill("my <b>own</b> future")
    field.press("Enter")
    expect(on.steady(page).locator(".card.main .title")).to_have_text("my <b>own</b> future")
    page.keyboard.press("Escape")
    shown_run = on.steady(page).get_by_label("Run shown (2 in all)")
    expect(shown_run).to_have_value("my <b>own</b> future")
    on.choose(shown_run, "pasted text")
    expect(on.steady(page).locator(".card.main .title")).to_have_text("pasted text")
    on.expect_one_player(page)
    expect(page.locator(".card.other .title")).to_have_text("my <b>own</b> future")
    on.stop_at(page, STEP + 2)
    assert page.locator(OTHER).all_text_contents() == tokens(fork.tokenizer().after(STEP + 2))
    page.get_by_role("button", name="Rename or delete").click()
    page.get_by_role("button", name="Delete pasted text").click()
    expect(page.locator(".card.other:visible")).to_have_count(0)
    on.expect_one_player(page)
    expect(page.get_by_label("Run shown")).to_have_count(0)
    assert page.locator(MAIN).all_text_contents() == tokens(fork.tokenizer().after(STEP + 2))


def top_line(page: Page, card: str) -> str:
    line: str = page.locator(f"{card} .text").evaluate(
        """text => {
          const top = text.getBoundingClientRect().top + 2;
          const blocks = [...text.querySelectorAll('.block')];
          return blocks.find(b => b.getBoundingClientRect().bottom > top).textContent;
        }"""
    )
    return line


def test_both_texts_scroll_together(page: Page) -> None:
    text = "".join(f"line {n}: the weather, the whether, the wether\n" for n in range(300))
    open_run(page, text, step=STEP)
    on.fork(page, 2)
    for card, offset in ((".card.main", 3_000), (".card.other", 900)):
        page.locator(f"{card} .text").evaluate("(text, y) => { text.scrollTop = y }", offset)
        on.expect_painted(page)
        line = top_line(page, ".card.main")
        assert line == top_line(page, ".card.other")
        assert not line.startswith("line 0:")


def test_a_fork_keeps_the_place_in_the_text(page: Page) -> None:
    text = "".join(f"line {n}: the weather, the whether, the wether\n" for n in range(300))
    open_run(page, text, step=STEP)
    page.locator(".text").first.evaluate("text => { text.scrollTop = 2500 }")
    on.expect_painted(page)
    before = top_line(page, ".card.main")
    on.fork(page, 2)
    assert top_line(page, ".card.main") == top_line(page, ".card.other") == before


#: A second player for the bytes of the first, which goes only afterwards; whether both show the same place.
COMES_BEFORE_THE_OTHER_GOES = """() => {
  const { player: old } = document.bpevizStage;
  const host = document.createElement("div");
  old.root.host.after(host);
  const root = host.attachShadow({ mode: "open" });
  root.innerHTML = old.root.innerHTML;
  const made = new old.constructor(root);
  made.load(old.bytes);
  const places = [old, made].map(({ view }) => view.placeNow());
  made.stop();
  host.remove();
  return places;
}"""


def test_the_same_text_keeps_its_place_if_its_new_player_comes_before_the_old_one_goes(page: Page) -> None:
    text = "".join(f"line {n}: the weather, the whether, the wether\n" for n in range(300))
    open_run(page, text, step=STEP)

    def is_scrolled() -> bool:
        page.locator(on.TEXT).evaluate("text => { text.scrollTop = 2500 }")
        on.expect_painted(page)
        return bool(page.evaluate("document.bpevizStage.player.view.placeNow()[0] > 0"))

    wait_for(page, is_scrolled, "the text is scrolled")
    before, after = page.evaluate(COMES_BEFORE_THE_OTHER_GOES)
    assert before[0] > 0
    assert after == before
