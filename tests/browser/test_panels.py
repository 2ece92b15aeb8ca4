"""The panels in Chromium: why this pair, what it changes, the race, a pair's life. What they say is held
against the core's own answer at the step."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support import app_page as on
from tests.support.prepared_session import open_run
from tests.support.trained import LOW, shown, trained

STEP = 4


def plain(texts: list[str]) -> list[str]:
    """Without the marks that keep each token's direction to itself, and a racer's dot."""
    return [re.sub("[\u2068\u2069]|● ", "", text) for text in texts]


def labels(chart: Locator) -> list[str]:
    return plain(chart.locator(".ytick text").all_text_contents())


def test_the_reason_names_the_tie_rule_or_the_margin(page: Page) -> None:
    open_run(page, "ab ab ab cd cd cd ef ef")
    reason = "Chosen because its ids are smallest: 3 pairs share the highest count, 3."
    expect(page.get_by_text(f"{reason} First of the others: c + d.")).to_be_visible()
    trainer = trained()
    open_run(page, LOW)
    for rank, (pair, _) in list(enumerate(trainer.merges))[:6]:
        on.stop_at(page, rank)
        counts = trainer.history().pair_counts(rank)
        ties = int((counts["count"] == counts["count"][0]).sum())
        following = shown(trainer, (int(counts["left"][1]), int(counts["right"][1])))
        assert (counts["left"][0], counts["right"][0]) == pair
        if ties > 1:
            says = f"{ties} pairs share the highest count, {counts['count'][0]}. First of the others: "
        else:
            margin = counts["count"][0] - counts["count"][1]
            says = f": {counts['count'][0]}, {margin} more than the runner-up "
        expect(page.get_by_text(f"{says}{following}.")).to_be_visible()


@pytest.mark.gate
def test_the_changes_of_the_next_merge_are_charted_with_counts_before_and_after(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    trainer = trained()
    changes = trainer.history().count_changes(STEP)
    merged = trainer.merges[STEP][0]
    changes = changes[(changes["left"] != merged[0]) | (changes["right"] != merged[1])]
    raised, lowered = changes[changes["change"] > 0].head(7), changes[changes["change"] < 0].head(7)
    rows = [*raised.itertuples(index=False), *lowered.itertuples(index=False)]
    chart = on.figure(page, "What the next merge changes")
    expect(chart.locator(".bars .point text")).to_have_text([f"{r.before} → {r.after}" for r in rows])
    assert labels(chart) == [shown(trainer, (r.left, r.right)) for r in rows]
    expect(page.get_by_text(f"Merge {STEP + 1} uses up {shown(trainer, merged)}.")).to_be_visible()


def test_the_race_names_the_leading_pairs_of_the_step(page: Page) -> None:
    open_run(page, LOW)
    expect(page.get_by_text("The race starts with the first merge")).to_be_visible()
    on.stop_at(page, STEP)
    trainer = trained()
    leading = trainer.history().pair_counts(STEP).head(8)
    names = on.figure(page, "Pair race").locator(".annotation text")
    expect(names).to_have_count(8)
    assert plain(names.all_text_contents()) == [
        shown(trainer, (left, right)) for left, right, _ in leading.itertuples(index=False)
    ]


@pytest.mark.gate
def test_a_click_on_a_bar_shows_the_life_of_its_pair(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    trainer = trained()
    row = trainer.history().pair_counts(STEP).iloc[3]
    pair = (int(row["left"]), int(row["right"]))
    on.bar(page, 3).click(force=True)
    expect(on.looked_at(page)).to_have_value(shown(trainer, pair))
    expect(page.get_by_text(f"Seen {row['count']} times after {STEP} merges.")).to_be_visible()
    life = trainer.history().pair_life(pair)
    assert life.born is not None
    says = "There from the start" if life.born == 0 else f"Born at merge {life.born}"
    expect(page.get_by_text(says)).to_contain_text(f"seen {life.counts[life.peak]} times")
    end = {"merged": "merged as merge", "used up": "starved at merge", "alive": "still there"}[life.fate]
    expect(page.get_by_text(says)).to_contain_text(end)
    expect(on.figure(page, "Life of the pair")).to_be_visible()


@pytest.mark.gate
def test_a_pair_is_picked_by_keyboard_too(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    trainer = trained()
    row = trainer.history().pair_counts(STEP).iloc[2]
    label = shown(trainer, (int(row["left"]), int(row["right"])))
    on.looked_at(page).focus()
    page.keyboard.type(label)
    page.keyboard.press("Enter")
    expect(on.figure(page, "Life of the pair")).to_be_visible()
    expect(on.looked_at(page)).to_have_value(label)
    page.get_by_role("button", name="Put it away").click()
    expect(on.figure(page, "Life of the pair")).to_have_count(0)
    expect(on.looked_at(page)).to_have_value("")


def test_the_overlap_lens_tells_what_is_counted_from_what_can_be_replaced(page: Page) -> None:
    text = "aaaa baaa " * 3
    open_run(page, text)
    expect(page.locator(".say")).to_contain_text("seen 15 times")
    expect(page.locator(".say")).to_contain_text("Some overlap, as in a + a + a: 9 can be replaced.")
    on.pick(page, "a + a")
    expect(page.get_by_text("Counted 15 times, but one merge can replace 9 times")).to_be_visible()
    expect(page.get_by_test_id("stCode")).to_have_text(
        re.compile(
            r"\[a a\] a\s+counted 2, replaced 1; stands in 3 places\s+"
            r"\[a a\] \[a a\]\s+counted 3, replaced 2; stands in 3 places"
        )
    )


@pytest.mark.gate
def test_a_row_of_the_merges_table_goes_to_its_merge(page: Page) -> None:
    open_run(page, LOW, step=8)
    table = page.get_by_test_id("stDataFrame").first
    table.click(position={"x": 20, "y": 36 * 2.5})  # the second row: merge 7
    on.expect_step(page, 7)
    expect(page.get_by_text("Merges so far: 7", exact=True)).to_be_visible()


def test_a_click_in_the_life_of_a_pair_goes_to_that_step(page: Page) -> None:
    open_run(page, LOW, step=9)
    trainer = trained()
    history = trainer.history()
    pairs = [(int(r.left), int(r.right)) for r in history.pair_counts(9).itertuples()]
    pair = next(pair for pair in pairs[:20] if history.pair_life(pair).born)
    life = history.pair_life(pair)
    on.pick(page, shown(trainer, pair))
    mark = on.figure(page, "Life of the pair").locator(".scatterlayer .trace").nth(1).locator(".point").nth(1)
    mark.click(force=True)
    on.expect_step(page, life.peak)


@pytest.mark.gate
def test_the_chart_of_pairs_at_rest_equals_the_core_s_counts(page: Page) -> None:
    open_run(page, LOW)
    trainer = trained()
    for step in (0, 1, STEP, 11, len(trainer.merges)):
        on.stop_at(page, step)
        top = trainer.history().pair_counts(step).head(20).itertuples(index=False, name=None)
        expected = [(shown(trainer, (left, right)), f"{count:,}") for left, right, count in top]
        assert on.pairs_on_show(page) == expected


#: For many frames while the player plays: the step, the sentence, the bar of the next merge, the reason.
FRAMES = """async () => {
  const roots = [...document.querySelectorAll('*')].map(e => e.shadowRoot).filter(Boolean);
  const player = roots.find(root => root.querySelector('.player'));
  const pairs = roots.find(root => root.querySelector('.pairs'));
  player.querySelector('.play').click();
  const frames = [];
  for (let i = 0; i < 60; i++) {
    await new Promise(requestAnimationFrame);
    const joined = [...player.querySelectorAll('.say b')].slice(0, 2).map(b => b.textContent);
    const next = pairs.querySelector('.bar.next')?.parentElement;
    frames.push({
      step: Number(player.querySelector('[data-tile=merges]').textContent.replaceAll(',', '')),
      sentence: joined.join(' + '),
      bar: next?.querySelector('.label').textContent.replace(/[\u2068\u2069]/g, ''),
      count: next?.querySelector('.count').textContent,
      why: pairs.querySelector('.why').textContent,
      behind: 'bpevizBehind' in document.documentElement.dataset,
    });
  }
  player.querySelector('.play').click();
  return frames;
}"""


def test_while_playing_the_sentence_and_the_chart_of_pairs_name_the_same_merge(page: Page) -> None:
    words = [f"{word}{ending}" for word in ("abc", "bcd", "cde", "def", "efg") for ending in "pqrstuv"]
    text = " ".join(words * 2)
    open_run(page, text)
    trainer = trained(text)
    page.get_by_label("Merges per second").select_option("60")
    frames = page.evaluate(FRAMES)
    assert len({frame["step"] for frame in frames}) > 10
    for frame in frames:
        if frame["step"] == len(trainer.merges):
            continue
        pair, _ = trainer.merges[frame["step"]]
        counts = trainer.history().pair_counts(frame["step"])
        assert frame["sentence"] == frame["bar"] == shown(trainer, pair)
        assert frame["count"] == f"{counts['count'][0]:,}"
        assert frame["why"].startswith("Chosen because ")
        assert frame["behind"] or frame["step"] == 0


def test_the_panels_of_the_server_wait_for_the_player_to_rest_and_are_pale_until_then(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    expect(page.get_by_text(f"Merge {STEP + 1} uses up")).to_be_visible()
    pale = page.locator("html[data-bpeviz-behind]")
    expect(pale).to_have_count(0)
    on.play(page, 2)
    on.expect_step(page, STEP + 2)
    expect(pale).to_have_count(1)
    expect(page.get_by_text(f"Merge {STEP + 1} uses up")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    step = int(on.tile(page, "merges").inner_text())
    expect(page.get_by_text(f"Merge {step + 1} uses up")).to_be_visible()
    expect(pale).to_have_count(0)


def test_a_bar_picked_while_playing_stops_the_player_there(page: Page) -> None:
    open_run(page, LOW)
    on.play(page, 2)
    on.expect_step(page, 2)
    on.bar(page, 1).click(force=True)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(on.figure(page, "Life of the pair")).to_be_visible()
    step = int(on.tile(page, "merges").inner_text())
    expect(page.get_by_text(re.compile(f"Seen .* after {step} merges"))).to_be_visible()
    on.expect_at(page, step)
