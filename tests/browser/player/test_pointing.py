"""A tap does what pointing does; beside a second run, the card of a pair speaks of the one pointed at."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from playwright.sync_api import Browser, Page, expect

from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import fork_run
from bpeviz.standalone.making import player_of_run
from bpeviz.training.choice import Choice
from bpeviz.training.settings import TrainingSettings
from tests.support import app_page as on
from tests.support.saved_player import open_run
from tests.support.trained import LOW, run_of

STEP = 4
HELD = ".pairs .bars > g:has(.held)"


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    """A tab of a phone: it has fingers and no mouse."""
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, offline=True
    )
    yield context.new_page()
    context.close()


@pytest.mark.gate
def test_a_tap_on_a_token_marks_its_bars_and_one_on_a_pair_its_places(phone: Page) -> None:
    open_run(phone, LOW, step=STEP)
    expect(phone.locator(HELD)).to_have_count(0)
    token = phone.locator(f"{on.CELLS}.left").first
    label = (token.text_content() or "").replace(" ", "␣")
    token.tap()
    held = phone.locator(f"{HELD} .label").all_text_contents()
    assert held
    assert all(label in re.sub("[\u2068\u2069]", "", each).split(" + ") for each in held)
    phone.get_by_role("button", name="Close the token").tap()
    phone.locator(".say .pair").tap()
    expect(phone.locator(f"{on.CELLS}.pair-left")).to_have_count(int(on.pairs_on_show(phone)[0][1]))
    expect(on.pair_card(phone)).to_be_visible()


#: Give each cell of a text a mark; the cells that moved.
MOVED = """mark => {
  const cells = [...document.bpevizStage.player.view.blocks.querySelectorAll(".tok")];
  for (const cell of cells) cell.classList.remove("left", "right", "new");
  const places = () => cells.map((cell) => {
    const { left, right, top } = cell.getBoundingClientRect();
    return [left, right, top].map(Math.round).join();
  });
  const before = places();
  for (const cell of cells) cell.classList.add(mark);
  return places().flatMap((place, i) => place === before[i] ? [] : [[cells[i].textContent, place]]);
}"""


@pytest.mark.parametrize("ids", [False, True])
@pytest.mark.parametrize("colours", ["none", "active"])
def test_no_mark_moves_the_text(page: Page, ids: bool, colours: Any) -> None:
    page.emulate_media(forced_colors=colours)
    open_run(page, "the lighthouse 灯台 الكتاب على 👍🏽 " * 20, step=20)
    page.locator("[data-option=ids]").set_checked(ids)
    for mark in ("pair-left", "pair-right", "picked", "new", "left", "right"):
        assert page.evaluate(MOVED, mark) == [], mark


def fork_of(run: Run) -> Run:
    """The run that merges another pair first."""
    row = run.history.pair_counts(0).iloc[2]
    choice = Choice(0, (int(row["left"]), int(row["right"])))
    return replace(fork_run(run, choice, lambda share, phase: None), name="Fork A")


@pytest.mark.gate
def test_the_card_of_a_pair_speaks_of_the_run_that_the_person_points_at(page: Page, tmp_path: Path) -> None:
    run = run_of(NamedText("pasted text", LOW), TrainingSettings())
    fork = fork_of(run)
    path = tmp_path / "both.html"
    player_of_run(run, beside=fork, step=1).write_html(path)
    page.goto(path.as_uri())
    on.expect_step(page, 1)
    says, kinds = on.pair_card(page).locator(".says"), set()
    there = {spelled(fork, row): int(row["count"]) for _, row in fork.history.pair_counts(1).iterrows()}
    for place in range(8):
        page.locator(".card.main .title").hover()
        on.bar(page, place).click(force=True)
        row = run.history.pair_counts(1).iloc[place]
        expect(says).to_contain_text(f"{run.name}: {times(int(row['count']))} now")
        page.locator(".card.other .title").hover()
        count = there.get(spelled(run, row))
        expect(says).to_contain_text(f"{fork.name}: {times(count)} now" if count else f"{fork.name}: ")
        if not count:
            expect(says).not_to_contain_text(" now")
        kinds.add(count is None)
    assert kinds == {True, False}


def spelled(run: Run, row: pd.Series) -> tuple[bytes, bytes]:
    left, right = (run.tokenizer.token_bytes(int(row[side])) for side in ("left", "right"))
    return left, right


def times(count: int) -> str:
    return "Once" if count == 1 else f"{count:,} times"
