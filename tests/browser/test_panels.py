"""The panels that the server draws, in Chromium: what a merge changes, the race, tables, forks. What they say
is held against the core's own answer at the step. tests/browser/player has the bars and their card."""

import re
from string import ascii_lowercase

import pytest
from playwright.sync_api import Locator, Page, expect

from bpeviz.charts.frame import SERIES
from bpeviz.ui.watch.state import OF_START, PANELS
from tests.support import app_page as on
from tests.support.prepared_session import open_run
from tests.support.trained import LOW, shown, trained
from tests.support.waiting import wait_for

STEP = 4


def plain(texts: list[str]) -> list[str]:
    """Without the marks that keep each token's direction to itself, and a racer's sign."""
    signs = "".join(look.sign + look.open_sign for look in SERIES)
    return [re.sub(f"[\u2068\u2069]|^[{signs}] ", "", text) for text in texts]


def labels(chart: Locator) -> list[str]:
    return plain(chart.locator(".ytick text").all_text_contents())


def test_the_changes_of_the_next_merge_are_charted_with_counts_before_and_after(page: Page) -> None:
    open_run(page, LOW, step=STEP, panel="What changes")
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


def point_at(page: Page, mark: Locator) -> None:
    """Move the pointer to a mark. Plotly covers its charts with a sheet that takes the pointer."""
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    assert box is not None
    for beside in (2, 0):  # the chart is followed from the first move on
        page.mouse.move(box["x"] + box["width"] / 2 + beside, box["y"] + box["height"] / 2)


def test_pointing_at_a_bar_or_a_mark_of_a_chart_marks_its_pair_in_the_text(page: Page) -> None:
    open_run(page, LOW, step=STEP, panel="What changes")
    trainer = trained()
    marked = page.locator(f"{on.CELLS}.pair-left")
    expect(marked).to_have_count(0)
    chart = on.figure(page, "What the next merge changes")
    lowered = chart.locator(".bars .point").last  # a raised pair is not there yet
    left = labels(chart)[-1].partition(" + ")[0]
    point_at(page, lowered)
    expect(marked).not_to_have_count(0)
    assert {*marked.all_text_contents()} == {left}
    page.mouse.move(2, 2)
    expect(marked).to_have_count(0)
    on.open_panel(page, "Race")
    race = on.figure(page, "Pair race")
    expect(race.locator(".annotation text")).not_to_have_count(0)
    point_at(page, race.locator(".scatterlayer .trace").first.locator(".point").nth(STEP - 1))
    expect(marked).not_to_have_count(0)
    made = shown(trainer, trainer.merges[STEP - 1][0]).replace(" + ", "")
    assert {*marked.all_text_contents()} == {made}


def test_the_race_names_the_leading_pairs_of_the_step(page: Page) -> None:
    open_run(page, LOW, panel="Race")
    expect(page.get_by_text("The race starts with the first merge")).to_be_visible()
    on.stop_at(page, STEP)
    trainer = trained()
    merged = [f"#{rank + 1} {shown(trainer, pair)}" for rank, (pair, _) in enumerate(trainer.merges[:STEP])]
    left = trainer.history().pair_counts(STEP).itertuples(index=False)
    names = [shown(trainer, (row.left, row.right)) for row in left]
    race = on.figure(page, "Pair race")
    expect(race.locator(".annotation text")).to_have_count(4)  # three, and the one that was overtaken
    leaders = plain(race.locator(".annotation text").all_text_contents())
    assert {f"next {names[0]}", f"2. {names[1]}", f"3. {names[2]}"} <= set(leaders)
    page.get_by_text("More pairs").click()
    expect(race.locator(".annotation text")).not_to_have_count(4)
    texts = plain(race.locator(".annotation text").all_text_contents())
    at_merges = {text for text in texts if text.startswith("#")}  # those that cover no other
    assert at_merges
    assert at_merges <= set(merged)
    assert {f"next {names[0]}", f"2. {names[1]}", f"3. {names[2]}"} <= set(texts)


def test_the_race_says_who_leads_who_was_overtaken_and_why(page: Page) -> None:
    open_run(page, "abc abc ab bc de de", step=1, panel="Race")
    says = "Merge 1 (a + b) lowered b + c from 3 to 1, so"
    expect(page.get_by_text(says)).to_be_visible()
    expect(on.figure(page, "Pair race")).to_have_attribute("aria-label", re.compile(re.escape(says)))


def test_a_row_of_the_merges_table_goes_to_its_merge(page: Page) -> None:
    open_run(page, LOW, step=8, panel="Tables")
    table = page.get_by_test_id("stDataFrame").first
    table.click(position={"x": 20, "y": 36 * 2.5})  # the second row: merge 7
    on.expect_step(page, 7)
    expect(page.get_by_text("Merges so far: 7", exact=True)).to_be_visible()


def test_a_pair_picked_in_a_table_has_its_card_with_the_bars(page: Page) -> None:
    open_run(page, LOW, step=STEP, panel="Tables")
    page.get_by_role("tab", name="All pairs").click()
    on.expect_settled(page)
    page.get_by_test_id("stDataFrame").last.click(position={"x": 20, "y": 36 * 2.5})  # the second row
    wait_for(page, lambda: page.evaluate("document.bpevizStage.pair") is not None, "a pair is picked")
    on.open_panel(page, "Pairs")
    row = trained().history().pair_counts(STEP).iloc[1]
    on.expect_picked(page, shown(trained(), (int(row["left"]), int(row["right"]))))


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
      step: Number(player.querySelector('.step').value),
      sentence: joined.join(' + '),
      bar: next?.querySelector('.label').textContent.replace(/[\u2068\u2069]/g, ''),
      count: next?.querySelector('.count').textContent,
      why: pairs.querySelector('.why').textContent,
      behind: 'bpevizBehind' in document.documentElement.dataset,
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
        assert "pairs tie. " in frame["why"] or frame["why"].startswith("Most frequent: ")
        assert frame["behind"] == (frame["step"] > 0)


def test_the_panels_of_the_server_wait_for_the_player_to_rest_and_are_pale_until_then(page: Page) -> None:
    open_run(page, LOW, step=STEP, panel="What changes")
    expect(page.get_by_text(re.compile(f"^Merge {STEP + 1} joins"))).to_be_visible()
    pale = page.locator("html[data-bpeviz-behind]")
    expect(pale).to_have_count(0)
    on.play(page, 2)
    on.expect_step(page, STEP + 2)
    expect(pale).to_have_count(1)
    named = "getComputedStyle(document.querySelector('.st-key-at_rest'), '::before').content"
    assert page.evaluate(named) == f'"After {STEP} merges"'
    expect(page.get_by_text(re.compile(f"^Merge {STEP + 1} joins"))).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    step = int(on.step_field(page).input_value())
    expect(page.get_by_text(re.compile(f"^Merge {step + 1} joins"))).to_be_visible()
    expect(pale).to_have_count(0)


@pytest.mark.gate
def test_a_number_key_shows_a_panel_and_the_player_steps_with_each(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    always = [panel for panel in PANELS if panel != OF_START]
    for number, name in enumerate(always, 1):
        on.expect_settled(page)
        page.keyboard.press(str(number))
        on.expect_panel(page, name)
        page.keyboard.press("ArrowRight")
        on.expect_at(page, STEP + number)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        expect(page.locator(".pairs")).to_have_count(int(name == "Pairs"))
    page.keyboard.press("?")
    expect(page.get_by_role("dialog").get_by_text("Show another panel")).to_be_visible()


def test_the_panel_of_a_session_is_there_again_after_a_reload(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    on.open_panel(page, "Race")
    page.keyboard.press("ArrowRight")
    on.expect_at(page, STEP + 1)
    page.reload()
    on.expect_step(page, STEP + 1)
    on.expect_panel(page, "Race")


def test_without_the_panel_of_pairs_their_keys_do_nothing(page: Page) -> None:
    open_run(page, LOW, step=STEP, panel="Tables")
    for key in ("b", "Enter", "m"):
        page.keyboard.press(key)
    page.keyboard.press("ArrowRight")
    on.expect_at(page, STEP + 1)
    expect(page.locator(".card.other:visible")).to_have_count(0)
    on.open_panel(page, "Pairs")
    expect(page.locator(".pairs:not(.waiting) .bars")).to_be_attached()
    expect(on.pair_card(page)).to_be_hidden()


def test_a_fork_steps_with_another_panel(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    on.fork(page, 3)
    on.open_panel(page, "Tables")
    page.keyboard.press("ArrowRight")
    on.expect_at(page, STEP + 1)
    expect(page.locator(".st-key-two_futures")).to_contain_text(f"Now, after {STEP + 1} merges")


def test_a_picked_pair_stays_picked_after_a_reload(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    label = on.pairs_on_show(page)[3][0]
    on.pick(page, label)
    on.expect_settled(page)
    page.reload()
    on.expect_picked(page, label)
    page.get_by_role("button", name="Clear selection").click()
    expect(on.pair_card(page)).to_be_hidden()
    on.expect_settled(page)
    page.reload()
    on.expect_step(page, STEP)
    expect(on.pair_card(page)).to_be_hidden()


def test_a_pair_picked_while_playing_stops_the_player_there(page: Page) -> None:
    open_run(page, LOW)
    on.play(page, 2)
    on.expect_step(page, 2)
    on.bar(page, 1).click(force=True)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(on.pair_card(page)).to_be_visible()
    on.expect_at(page, int(on.step_field(page).input_value()))


def test_a_fork_is_made_by_keyboard_and_the_focus_stays_at_the_bars(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    page.keyboard.press("b")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("m")
    expect(page.locator(".card.other .tok").first).to_be_visible()
    on.expect_one_player(page)
    expect(page.locator(".pairs .bars > g:focus")).to_have_count(1)
    expect(page.locator(".pairs .bars > g:focus .bar")).to_have_class(re.compile("next"))


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


def test_a_fork_by_the_key_of_a_button_leaves_the_focus_in_the_panel_without_a_tip(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    on.bar(page, 3).click(force=True)
    page.get_by_role("button", name="Merge it next instead").press("Enter")
    expect(page.locator(".card.other .tok").first).to_be_visible()
    expect(page.locator(BARS_WITH_FOCUS)).to_have_count(1)
    expect(page.locator(".pairs .readout:visible")).to_have_count(0)
    page.keyboard.press("ArrowDown")
    expect(page.locator(".pairs .readout")).to_be_visible()
