"""Forks in Chromium: a pair chosen or vetoed, both runs side by side; runs named, turned to, dropped."""

from itertools import accumulate

import pytest
from playwright.sync_api import Page, expect

from bpeviz import Choice, Corpus, Trainer, steps_with
from tests.support import app_page as on
from tests.support.prepared_session import open_run
from tests.support.trained import LOW, shown, tokens, trained

STEP = 3
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
    expect(page.locator(".say")).to_contain_text(f"joins {shown(fork, choice.pair)} into")
    expect(page.locator(".say")).to_contain_text("You chose it, whatever the recipe would do.")
    expect(page.get_by_text("Chosen by you.")).to_be_visible()
    for step in (STEP, STEP + 1, STEP + 4, len(fork.merges)):
        on.go_to(page, step)
        mine, others = tokens(fork.tokenizer().after(step)), tokens(parent.tokenizer().after(step))
        assert page.locator(MAIN).all_text_contents() == mine
        assert page.locator(OTHER).all_text_contents() == others
        assert only(page, MAIN) == ends(mine) - ends(others)
        assert only(page, OTHER) == ends(others) - ends(mine)
    on.stop_at(page, STEP + 1)
    expect(page.get_by_text(f"They part at merge {STEP + 1}.")).to_be_visible()
    totals = [len(tokens(of.tokenizer().after(STEP + 1))) for of in (fork, parent)]
    expect(page.get_by_test_id("stMetricValue")).to_have_text(
        [f"{totals[0]}", f"{totals[1]}", f"{totals[0] - totals[1]:+}".replace("-", "-")]
    )


@pytest.mark.gate
def test_a_vetoed_pair_is_never_merged(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    parent = trained(LOW)
    pair = parent.merges[STEP][0]
    fork = forked(Choice(STEP, pair, "veto"))
    on.pick(page, shown(parent, pair))
    page.get_by_role("button", name="Never merge it").click()
    expect(page.locator(OTHER).first).to_be_visible()
    on.expect_one_player(page)
    expect(page.locator(".say")).to_contain_text(f"joins {shown(fork, fork.merges[STEP][0])} into")
    on.go_to(page, len(fork.merges))
    assert page.locator(MAIN).all_text_contents() == tokens(fork.tokenizer())
    expect(page.locator(".card.main .title")).to_have_text(
        f"without {shown(parent, pair)} from merge {STEP + 1} on"
    )


@pytest.mark.gate
def test_runs_are_listed_named_turned_to_and_dropped(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    on.fork(page, 3)
    fork = forked(Choice(STEP, fourth_pair(trained(LOW))))
    page.get_by_role("button", name="Name or drop").click()
    field = page.get_by_label("Name of this run")
    field.fill("my <b>own</b> future")
    field.press("Enter")
    expect(on.steady(page).locator(".card.main .title")).to_have_text("my <b>own</b> future")
    page.keyboard.press("Escape")
    shown_run = on.steady(page).get_by_label("Run on show, of 2")
    expect(shown_run).to_have_value("my <b>own</b> future")
    shown_run.click()
    page.get_by_role("option", name="pasted text, huggingface").click()
    expect(on.steady(page).locator(".card.main .title")).to_have_text("pasted text, huggingface")
    on.expect_one_player(page)
    expect(page.locator(".card.other .title")).to_have_text("my <b>own</b> future")
    on.stop_at(page, STEP + 2)
    assert page.locator(OTHER).all_text_contents() == tokens(fork.tokenizer().after(STEP + 2))
    page.get_by_role("button", name="Name or drop").click()
    page.get_by_role("button", name="Drop pasted text").click()
    expect(page.locator(".card.other:visible")).to_have_count(0)
    on.expect_one_player(page)
    expect(page.get_by_label("Run on show")).to_have_count(0)
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
        page.wait_for_timeout(300)
        line = top_line(page, ".card.main")
        assert line == top_line(page, ".card.other")
        assert not line.startswith("line 0:")


def test_a_fork_keeps_the_place_in_the_text(page: Page) -> None:
    text = "".join(f"line {n}: the weather, the whether, the wether\n" for n in range(300))
    open_run(page, text, step=STEP)
    page.locator(".text").first.evaluate("text => { text.scrollTop = 2500 }")
    page.wait_for_timeout(200)
    before = top_line(page, ".card.main")
    on.fork(page, 2)
    assert top_line(page, ".card.main") == top_line(page, ".card.other") == before
