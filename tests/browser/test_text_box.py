"""The field for a person's own text, in Chromium without a server."""

import pytest
from playwright.sync_api import Browser

from bpeviz.browser.parts import PARTS, joined_script

#: Streamlit shows a part's HTML before the part's script is there.
MOUNT = """async ([html, script, typed]) => {
  const root = document.body.attachShadow({ mode: "open" });
  root.innerHTML = html;
  const field = root.querySelector("textarea");
  field.value = typed;
  const blob = new Blob([script], { type: "text/javascript" });
  const { default: mount } = await import(URL.createObjectURL(blob));
  const limits = { most: 99, largest: 99, retrained: 99 };
  const data = { session: 1, text: "before", rows: [], cost: "", problem: "", ...limits };
  const reported = [];
  mount({ data, parentElement: root, setStateValue: (name, value) => reported.push([name, value.text]) });
  const shown = field.value;
  await new Promise((done) => setTimeout(done, 200));
  return [shown, field.value, reported];
}"""


#: The field of a session that the server lost, typed into without an answer; then that of the new session.
RECONNECT = """async ([html, script]) => {
  const blob = new Blob([script], { type: "text/javascript" });
  const { default: mount } = await import(URL.createObjectURL(blob));
  const limits = { most: 99, largest: 99, retrained: 99 };
  const found = [];
  for (const [session, typed] of [[1, "hug pug"], [2, ""]]) {
    const root = document.body.appendChild(document.createElement("div")).attachShadow({ mode: "open" });
    root.innerHTML = html;
    const data = { session, text: "before", rows: [], cost: "", problem: "", ...limits };
    const stop = mount({ data, parentElement: root, setStateValue: (name, value) => found.push(value.text) });
    const field = root.querySelector("textarea");
    if (typed) {
      field.value = typed;
      field.dispatchEvent(new Event("input"));
      stop?.(); // before it is reported
    }
    found.push(field.value);
  }
  await new Promise((done) => setTimeout(done, 200));
  return found;
}"""


@pytest.mark.gate
def test_what_python_never_got_is_in_the_field_of_the_next_session_and_reported(
    chromium: Browser,
) -> None:
    part = PARTS["text_box"]
    tab = chromium.new_page()
    found = tab.evaluate(RECONNECT, [part.html, joined_script(part.script)])
    tab.close()
    assert found == ["hug pug", "hug pug", "hug pug"]  # typed; in the new field; reported from there


def mounted(chromium: Browser, typed: str) -> list[object]:
    """What the field shows at once and later, and what it reported, after a person typed into it early."""
    part = PARTS["text_box"]
    tab = chromium.new_page()
    found: list[object] = tab.evaluate(MOUNT, [part.html, joined_script(part.script), typed])
    tab.close()
    return found


@pytest.mark.gate
def test_what_is_typed_before_the_script_is_there_is_kept_and_reported(chromium: Browser) -> None:
    assert mounted(chromium, "hug pug") == ["hug pug", "hug pug", [["typed", "hug pug"]]]


@pytest.mark.gate
def test_an_untouched_field_shows_the_text_that_python_knows_and_reports_nothing(chromium: Browser) -> None:
    assert mounted(chromium, "") == ["before", "before", []]
