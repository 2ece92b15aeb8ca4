"""The most frequent pairs beside the player: the reason for a merge, the bars, their tip and their keys."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bpeviz.training.settings import TrainingSettings
from tests.support import app_page as on
from tests.support.saved_player import open_run
from tests.support.trained import LOW, shown, trained

STEP = 4


def test_the_reason_names_the_tie_rule_or_the_margin(page: Page) -> None:
    open_run(page, "ab ab ab cd cd cd ef ef")
    a, b, c, d = trained("ab ab ab cd cd cd ef ef").tokenizer().after(0).encode("abcd")
    rule = "3 pairs tie. This trainer takes the one with the smallest ids, left before right."
    values = f"a + b ({a}, {b}) before c + d ({c}, {d})."
    expect(page.locator(".why .reason")).to_have_text(rule)
    expect(page.locator(".why .values")).to_have_text("")
    page.get_by_role("button", name="Values").click()
    expect(page.locator(".why .values")).to_have_text(f" {values}")
    page.locator(".why .values .pair").last.hover()
    assert on.marked(page, "pair-left") == ["c"] * 3
    trainer = trained()
    open_run(page, LOW)
    for rank, (pair, _) in list(enumerate(trainer.merges))[:6]:
        on.go_to(page, rank)
        counts = trainer.history().pair_counts(rank)
        ties = int((counts["count"] == counts["count"][0]).sum())
        following = shown(trainer, (int(counts["left"][1]), int(counts["right"][1])))
        assert (counts["left"][0], counts["right"][0]) == pair
        if ties > 1:
            says = f"{ties} pairs tie. This trainer takes "
            expect(page.locator("p.why")).to_contain_text(says)
            expect(page.locator(".say")).to_contain_text(f", one of {ties} tied pairs.")
        else:
            margin = counts["count"][0] - counts["count"][1]
            says = f"Most frequent: {counts['count'][0]} times, {margin} more than {following}."
            expect(page.locator(".why .reason")).to_have_text(says)


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
        expect(page.locator(".pairs .readout")).to_be_visible()


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


def test_the_pointer_gets_no_tip_of_a_bar_unless_its_name_is_cut(page: Page) -> None:
    long = "internationalization-of-everything"
    open_run(page, f"{long} {long}", TrainingSettings(recipe="minbpe", split="none"), step=25)
    tip, cut = page.locator(".pairs .readout"), set()
    for place, (name, _) in enumerate(on.pairs_on_show(page)):
        on.bar(page, place).hover(force=True)
        cut.add("…" in name)
        if "…" in name:
            expect(tip).to_have_text(re.compile("^[^…]+$"))
        expect(tip).to_be_visible(visible="…" in name)
    assert cut == {True, False}


@pytest.mark.parametrize("place", [0, 1, 5])
def test_the_tip_of_a_bar_covers_neither_it_nor_the_bars_below(page: Page, place: int) -> None:
    open_run(page, LOW, step=STEP)
    page.keyboard.press("b")
    for _ in range(place):
        page.keyboard.press("ArrowDown")
    bar = on.bar(page, place)
    tip, box = page.locator(".pairs .readout").bounding_box(), bar.bounding_box()
    assert tip
    assert box
    assert tip["y"] + tip["height"] <= box["y"]


#: How often each of some pairs occurs after each number of merges, by the card's count.
LIVES = """pairs => pairs.map(pair => {
  document.bpevizStage.pick(pair);
  return [...document.bpevizStage.pairs.card.life.counts];
})"""


@pytest.mark.gate
@pytest.mark.parametrize(
    ("text", "settings"),
    [
        (LOW, {}),
        ("aaaa aaab aaaaaa b " * 3, {"recipe": "minbpe"}),
        ("灯台の灯りは灯台守の灯り。" * 4 + "🚢🚀🚢 é café " * 3, {"recipe": "tiktoken-educational"}),
        ("low low lower lowest newer wider " * 3, {"recipe": "subword-nmt"}),
    ],
    ids=["low", "overlaps", "Japanese and emoji", "word ends"],
)
def test_the_browser_counts_a_pair_at_every_step_as_the_core_does(
    page: Page, text: str, settings: dict[str, Any]
) -> None:
    run = open_run(page, text, TrainingSettings(**settings))
    history = run.history
    steps = range(0, len(run.steps) + 1, max(1, len(run.steps) // 6))
    pairs = {
        (int(left), int(right))
        for step in steps
        for left, right, _ in history.pair_counts(step).head(30).itertuples(index=False)
    }
    lives = page.evaluate(LIVES, [*pairs])
    for pair, counts in zip(pairs, lives, strict=True):
        assert counts == history.pair_life(pair).counts.tolist(), run.pair_label(pair)


def marked(page: Page) -> int:
    return page.locator(".card.main .tok.pair-left").count()


def test_pointing_at_a_bar_marks_its_places_and_a_pick_keeps_them(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    (_, count), (other, others), *_ = on.pairs_on_show(page)
    page.locator(".card.main .tok").first.hover()
    assert marked(page) == 0
    on.bar(page, 1).hover(force=True)
    assert marked(page) == int(others)
    expect(page.locator(".main .of-pair")).to_contain_text(other)
    on.bar(page, 0).hover(force=True)
    assert marked(page) == int(count)
    on.bar(page, 1).click(force=True)
    page.locator(".card.main .title").hover()
    assert marked(page) == int(others)
    on.expect_picked(page, other)
    expect(on.pair_card(page)).to_contain_text(f"{int(others):,} times now, {int(others):,} of them in view.")
    assert page.locator(".pair-card [data-fork]:visible").count() == 0  # nothing can be trained here
    page.get_by_role("button", name="Clear selection").click()
    expect(on.pair_card(page)).to_be_hidden()
    assert marked(page) == 0
    expect(page.locator(".pairs .bars > g:focus")).to_have_count(1)


def test_a_token_marks_the_bars_that_hold_it_and_a_pair_in_a_sentence_its_places(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    page.locator(".say .pair").hover()
    assert marked(page) == int(on.pairs_on_show(page)[0][1])
    token = page.locator(".card.main .tok.left").first
    label = (token.text_content() or "").replace(" ", "␣")
    token.hover()
    held = page.locator(".pairs .bars > g:has(.held) .label").all_text_contents()
    assert held
    assert all(label in re.sub("[\u2068\u2069]", "", each).split(" + ") for each in held)


def test_the_life_of_a_pair_leads_to_its_steps(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    on.bar(page, 2).click(force=True)
    box = page.locator(".pair-card .life").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2)
    on.expect_step(page, len(trained().merges))
    says = on.pair_card(page)
    expect(says).to_contain_text("No longer there.")


def test_the_bars_are_walked_and_picked_by_keyboard_and_keep_the_focus(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    names = [name for name, _ in on.pairs_on_show(page)]
    focused = page.locator(".pairs .bars > g:focus")
    expect(page.locator(".pairs .bars > g").first).to_have_attribute("aria-label", re.compile("times"))
    page.keyboard.press("b")
    first = names[0].split(" + ")[0]
    expect(focused).to_have_attribute("aria-label", re.compile(f"^.?{re.escape(first)}"))
    assert page.locator(".pairs .bars > g[tabindex='0']").count() == 1
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    on.expect_picked(page, names[2])
    expect(focused).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowRight")
    on.expect_step(page, STEP + 1)
    expect(focused).to_have_count(1)


@pytest.mark.parametrize("beside", [False, True])
def test_a_click_picks_the_bar_at_its_row_while_the_mouse_rests(page: Page, beside: bool) -> None:
    open_run(page, LOW, step=STEP)
    on.bar(page, 1).click(force=True)  # the card is open: the bars move no more
    name = on.pairs_on_show(page)[2][0]
    box = on.bar(page, 2).bounding_box()
    assert box
    x = box["x"] + (-60 if beside else 5)  # beside the bar there is only its label, or nothing
    page.mouse.move(x, box["y"] + 9)
    page.mouse.down()
    page.mouse.up()
    on.expect_picked(page, name)
    expect(page.locator(".pairs .readout")).to_be_hidden()
