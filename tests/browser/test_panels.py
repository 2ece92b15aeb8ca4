"""The panels in Chromium: why this pair, what it changes, the race, a pair's life. What they say is held
against the core's own answer at the step."""

import re
from string import ascii_lowercase

import pytest
from playwright.sync_api import Locator, Page, expect

from bpeviz.charts.frame import SERIES
from tests.support import app_page as on
from tests.support.prepared_session import open_run
from tests.support.trained import LOW, shown, trained

STEP = 4


def plain(texts: list[str]) -> list[str]:
    """Without the marks that keep each token's direction to itself, and a racer's sign."""
    signs = "".join(look.sign + look.open_sign for look in SERIES)
    return [re.sub(f"[\u2068\u2069]|^[{signs}] ", "", text) for text in texts]


def labels(chart: Locator) -> list[str]:
    return plain(chart.locator(".ytick text").all_text_contents())


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
    expect(page.get_by_text(f"Merge {STEP + 1} joins {shown(trainer, merged)}.")).to_be_visible()


def test_the_race_names_the_leading_pairs_of_the_step(page: Page) -> None:
    open_run(page, LOW)
    expect(page.get_by_text("The race starts with the first merge")).to_be_visible()
    on.stop_at(page, STEP)
    trainer = trained()
    merged = [f"#{rank + 1} {shown(trainer, pair)}" for rank, (pair, _) in enumerate(trainer.merges[:STEP])]
    left = trainer.history().pair_counts(STEP).itertuples(index=False)
    names = [shown(trainer, (row.left, row.right)) for row in left]
    race = on.figure(page, "Pair race")
    expect(race.locator(".annotation text")).to_have_count(8 + STEP)  # also the numbers at the merged pairs
    texts = plain(race.locator(".annotation text").all_text_contents())
    assert set(merged) <= set(texts)
    assert {f"next {names[0]}", f"2. {names[1]}", f"3. {names[2]}"} <= set(texts)


def test_the_race_says_who_leads_who_was_overtaken_and_why(page: Page) -> None:
    open_run(page, "abc abc ab bc de de", step=1)
    says = "Merge 1 (a + b) lowered b + c from 3 to 1, so"
    expect(page.get_by_text(says)).to_be_visible()
    expect(on.figure(page, "Pair race")).to_have_attribute("aria-label", re.compile(re.escape(says)))


@pytest.mark.gate
def test_a_click_on_a_bar_shows_the_life_of_its_pair(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    trainer = trained()
    row = trainer.history().pair_counts(STEP).iloc[3]
    pair = (int(row["left"]), int(row["right"]))
    on.bar(page, 3).click(force=True)
    expect(on.looked_at(page)).to_have_value(shown(trainer, pair))
    expect(page.get_by_text(f"Occurs {row['count']} times after {STEP} merges.")).to_be_visible()
    life = trainer.history().pair_life(pair)
    assert life.born is not None
    says = f"First occurs after merge {life.born}" if life.born else "Occurs from the start"
    when = f"after {life.peak} merge{'' if life.peak == 1 else 's'}" if life.peak else "at the start"
    expect(page.get_by_text(says)).to_contain_text(f"Most frequent {when}: {life.counts[life.peak]} times.")
    end = {"merged": "Merged as merge", "used up": "Used up at merge", "alive": "At the end it still"}[
        life.fate
    ]
    expect(page.get_by_text(says)).to_contain_text(end)
    expect(on.figure(page, "Life of the pair")).to_be_visible()


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
    page.get_by_role("button", name="Clear selection").click()
    expect(on.figure(page, "Life of the pair")).to_have_count(0)
    expect(on.looked_at(page)).to_have_value("")


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


#: For each frame while the player plays: the step, the sentence, the bar of the next merge, the reason. Until
#: so many steps were seen, or the last merge is made; a busy machine paints few frames a second.
FRAMES = """async ({ most, last }) => {
  const roots = [...document.querySelectorAll('*')].map(e => e.shadowRoot).filter(Boolean);
  const player = roots.find(root => root.querySelector('.player'));
  const pairs = roots.find(root => root.querySelector('.pairs'));
  player.querySelector('.play').click();
  const frames = [];
  const steps = new Set();
  for (let i = 0; i < 2_000 && steps.size < most && !steps.has(last); i++) {
    await new Promise(requestAnimationFrame);
    const joined = [...player.querySelectorAll('.say .next b')].map(b => b.textContent);
    const next = pairs.querySelector('.bar.next')?.parentElement;
    frames.push({
      step: Number(player.querySelector('[data-tile=merges]').textContent.replaceAll(',', '')),
      sentence: joined.join(' + '),
      bar: next?.querySelector('.label').textContent.replace(/[\u2068\u2069]/g, ''),
      count: next?.querySelector('.count').textContent,
      why: pairs.querySelector('.why').textContent,
      behind: 'bpevizBehind' in document.documentElement.dataset,
      named: getComputedStyle(document.querySelector('.st-key-at_rest'), '::before').content,
    });
    steps.add(frames.at(-1).step);
  }
  player.querySelector('.play').click();
  return frames;
}"""


def test_while_playing_the_sentence_and_the_chart_of_pairs_name_the_same_merge(page: Page) -> None:
    stems = [ascii_lowercase[start : start + 3] for start in range(20)]
    words = [stem + ending for stem in stems for ending in ascii_lowercase]  # hundreds of merges
    text = " ".join(words * 2)
    open_run(page, text)
    trainer = trained(text)
    page.get_by_label("Merges per second").select_option("60")
    frames = page.evaluate(FRAMES, {"most": 12, "last": len(trainer.merges)})
    assert len({frame["step"] for frame in frames}) > 10
    for frame in frames:
        if frame["step"] == len(trainer.merges):
            continue
        pair, _ = trainer.merges[frame["step"]]
        counts = trainer.history().pair_counts(frame["step"])
        assert frame["sentence"] == frame["bar"] == shown(trainer, pair)
        assert frame["count"] == f"{counts['count'][0]:,}"
        assert "pairs share the highest count" in frame["why"] or frame["why"].startswith("Most frequent: ")
        assert frame["behind"] == (frame["step"] > 0)
        assert frame["named"] == ('"After 0 merges"' if frame["behind"] else "none")


def test_the_panels_of_the_server_wait_for_the_player_to_rest_and_are_pale_until_then(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    expect(page.get_by_text(re.compile(f"^Merge {STEP + 1} joins"))).to_be_visible()
    pale = page.locator("html[data-bpeviz-behind]")
    expect(pale).to_have_count(0)
    on.play(page, 2)
    on.expect_step(page, STEP + 2)
    expect(pale).to_have_count(1)
    expect(page.get_by_text(re.compile(f"^Merge {STEP + 1} joins"))).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    step = int(on.tile(page, "merges").inner_text())
    expect(page.get_by_text(re.compile(f"^Merge {step + 1} joins"))).to_be_visible()
    expect(pale).to_have_count(0)


def test_a_number_key_shows_and_hides_a_panel(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    panels = page.get_by_role("toolbar", name="Panels").get_by_role("button")
    for number in range(panels.count()):
        shown = panels.nth(number).get_attribute("aria-pressed") == "true"
        for now in (not shown, shown):
            page.keyboard.press(str(number + 1))
            on.expect_settled(page)
            expect(panels.nth(number)).to_have_attribute("aria-pressed", str(now).lower())
    page.keyboard.press("?")
    expect(page.get_by_role("dialog").get_by_text("Show or hide a panel")).to_be_visible()


def test_a_bar_picked_while_playing_stops_the_player_there(page: Page) -> None:
    open_run(page, LOW)
    on.play(page, 2)
    on.expect_step(page, 2)
    on.bar(page, 1).click(force=True)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(on.figure(page, "Life of the pair")).to_be_visible()
    step = int(on.tile(page, "merges").inner_text())
    expect(page.get_by_text(re.compile(rf"^Occurs [\w ]+ after {step} merges\."))).to_be_visible()
    on.expect_at(page, step)


def focused_bar(page: Page) -> str:
    """What screen readers say of the bar with the focus."""
    says: str = page.locator(".pairs .bars > g:focus").get_attribute("aria-label") or ""
    return re.sub("[\u2068\u2069]", "", says)


def test_the_bars_of_pairs_are_walked_and_picked_by_keyboard_and_keep_the_focus(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    trainer = trained()
    rows = trainer.history().pair_counts(STEP)
    pairs = [
        shown(trainer, (int(left), int(right)))
        for left, right in zip(rows["left"], rows["right"], strict=True)
    ]
    bars = page.locator(".pairs .bars > g")
    expect(bars.first).to_have_attribute("aria-label", re.compile("times"))
    page.keyboard.press("b")
    assert focused_bar(page).startswith(f"{pairs[0]}, ")
    assert page.locator(".pairs .bars > g[tabindex='0']").count() == 1
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert focused_bar(page).startswith(f"{pairs[2]}, ")
    page.keyboard.press("Enter")
    expect(on.looked_at(page)).to_have_value(pairs[2])
    expect(page.locator(".pairs .bars > g:focus")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowRight")
    on.expect_step(page, STEP + 1)
    expect(page.locator(".pairs .bars > g:focus")).to_have_count(1)


def bar_name(page: Page, place: int) -> str:
    return on.pairs_on_show(page)[place][0]


@pytest.mark.parametrize("beside", [False, True])
def test_the_tip_names_the_bar_that_is_clicked_while_the_mouse_rests(page: Page, beside: bool) -> None:
    open_run(page, LOW, step=STEP)
    box = on.bar(page, 2).bounding_box()
    assert box
    x = box["x"] + (-60 if beside else 5)  # beside the bar there is only its label, or nothing
    page.mouse.move(x, box["y"] + 9)
    page.mouse.down()
    page.mouse.up()
    tip = page.locator(".pairs .readout b")
    for _ in range(2):
        assert re.sub("[\u2068\u2069]", "", tip.inner_text()) == bar_name(page, 2)
        expect(on.looked_at(page)).to_have_value(bar_name(page, 2))
        on.expect_settled(page)


def test_a_fork_is_made_by_keyboard_and_the_focus_stays_at_the_bars(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    page.keyboard.press("b")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("m")
    expect(page.locator(".card.other .tok").first).to_be_visible()
    on.expect_one_player(page)
    expect(page.locator(".pairs .bars > g:focus")).to_have_count(1)
    expect(page.locator(".pairs .bars > g:focus .bar")).to_have_class(re.compile("next"))


def test_when_the_field_with_the_focus_goes_the_bars_get_the_focus(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    on.bar(page, 2).click(force=True)
    page.get_by_role("button", name="Clear selection").press("Enter")
    expect(on.figure(page, "Life of the pair")).to_have_count(0)
    expect(page.locator(".pairs .bars > g:focus")).to_have_count(1)


BARS_WITH_FOCUS = ".pairs .bars > g:focus"


def expect_no_focus_on_bars(page: Page) -> None:
    """Neither a bar has the focus nor does a tip cover any, also after the check for a lost focus."""
    page.evaluate("document.bpevizStage.pairs.arrive()")
    expect(page.locator(BARS_WITH_FOCUS)).to_have_count(0)
    expect(page.locator(".pairs .readout:visible")).to_have_count(0)


@pytest.mark.gate
def test_a_new_text_gives_the_bars_neither_the_focus_nor_a_tip(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    on.drop(page, "dropped.txt", b"she sells sea shells by the sea shore " * 4)
    expect(on.summary(page)).to_contain_text("dropped.txt")
    on.expect_settled(page)
    expect_no_focus_on_bars(page)
    on.train_on_sample(page, "aaabdaaabac")
    expect_no_focus_on_bars(page)


def test_a_fork_by_mouse_gives_the_bars_neither_the_focus_nor_a_tip(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    on.fork(page, 3)
    expect_no_focus_on_bars(page)


def test_a_fork_by_the_key_of_a_button_gives_the_bars_the_focus_without_a_tip(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    on.bar(page, 3).click(force=True)
    page.get_by_role("button", name="Merge it next instead").press("Enter")
    expect(page.locator(".card.other .tok").first).to_be_visible()
    expect(page.locator(BARS_WITH_FOCUS)).to_have_count(1)
    expect(page.locator(".pairs .readout:visible")).to_have_count(0)
    page.keyboard.press("ArrowDown")
    expect(page.locator(".pairs .readout")).to_be_visible()
