"""The most frequent pairs beside the player: the reason for a merge, the bars, their tip and their keys."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support import app_page as on
from tests.support.saved_player import open_run
from tests.support.trained import LOW, shown, trained

STEP = 4


def test_the_reason_names_the_tie_rule_or_the_margin(page: Page) -> None:
    open_run(page, "ab ab ab cd cd cd ef ef")
    a, b, c, d = trained("ab ab ab cd cd cd ef ef").tokenizer().after(0).encode("abcd")
    expect(page.locator("p.why")).to_have_text(
        "3 pairs share the highest count, 3. This recipe takes the one with the smallest ids: "
        f"a ({a}) + b ({b}) before c ({c}) + d ({d})."
    )
    trainer = trained()
    open_run(page, LOW)
    for rank, (pair, _) in list(enumerate(trainer.merges))[:6]:
        on.go_to(page, rank)
        counts = trainer.history().pair_counts(rank)
        ties = int((counts["count"] == counts["count"][0]).sum())
        following = shown(trainer, (int(counts["left"][1]), int(counts["right"][1])))
        assert (counts["left"][0], counts["right"][0]) == pair
        if ties > 1:
            says = f"{ties} pairs share the highest count, {counts['count'][0]}. This recipe takes "
            expect(page.locator("p.why")).to_contain_text(says)
            expect(page.locator(".say")).to_contain_text(f", one of {ties} tied pairs.")
        else:
            margin = counts["count"][0] - counts["count"][1]
            says = f"Most frequent: {counts['count'][0]} times, {margin} more than {following}."
            expect(page.locator("p.why")).to_have_text(says)


@pytest.mark.gate
def test_the_chart_of_pairs_at_rest_equals_the_core_s_counts(page: Page) -> None:
    open_run(page, LOW)
    trainer = trained()
    for step in (0, 1, STEP, 11, len(trainer.merges)):
        on.go_to(page, step)
        top = trainer.history().pair_counts(step).head(20).itertuples(index=False, name=None)
        expected = [(shown(trainer, (left, right)), f"{count:,}") for left, right, count in top]
        assert on.pairs_on_show(page) == expected


def test_the_tip_stays_with_the_bar_that_has_the_focus(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    page.keyboard.press("b")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    for step in range(STEP + 1, STEP + 5):
        page.keyboard.press("ArrowRight")
        on.expect_step(page, step)
        label = page.locator(".pairs .bars > g:focus .label").text_content()
        expect(page.locator(".pairs .readout b")).to_have_text(label or "")


IN_ORDER = """() => {
  const { rows } = document.bpevizStage.pairs.chart;
  const tops = [...rows.children].map(row => row.getBoundingClientRect().top);
  return tops.every((top, i) => i === 0 || top > tops[i - 1]);
}"""


@pytest.mark.parametrize("focused", [False, True])
def test_screen_readers_get_the_bars_from_the_top(page: Page, focused: bool) -> None:
    open_run(page, LOW, step=STEP)
    if focused:
        page.keyboard.press("b")
        page.keyboard.press("ArrowDown")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    on.expect_step(page, STEP + 5)
    page.wait_for_function(IN_ORDER)
    expect(page.locator(".pairs .bars > g:focus")).to_have_count(int(focused))


#: For steps that follow each other at once: bars whose spoken name is not that of their pair and count.
STALE = """() => {
  const { player, pairs: { chart } } = document.bpevizStage;
  const stale = [];
  for (let i = 0; i < 8; i++) {
    player.command("next");
    for (const bar of chart.bars) {
      const said = chart.rowOf.get(`${bar.left} ${bar.right}`).group.getAttribute("aria-label");
      if (said !== null && said !== chart.describes(bar).join(", ")) stale.push(said);
    }
  }
  return stale;
}"""


def test_no_bar_keeps_the_spoken_name_of_another_pair_while_playing(page: Page) -> None:
    open_run(page, LOW, step=1)
    expect(page.locator(".pairs .bars > g").first).to_have_attribute("aria-label", re.compile("times"))
    assert page.evaluate(STALE) == []


@pytest.mark.parametrize("place", [0, 1, -1])
def test_the_tip_of_a_bar_covers_neither_it_nor_the_bars_below(page: Page, place: int) -> None:
    open_run(page, LOW, step=STEP)
    names = on.pairs_on_show(page)
    bar = on.bar(page, place % len(names))
    bar.hover(force=True)
    tip, box = page.locator(".pairs .readout").bounding_box(), bar.bounding_box()
    assert tip
    assert box
    assert tip["y"] + tip["height"] <= box["y"]
