"""The field for a person's own text, in Chromium without a server."""

import pytest
from playwright.sync_api import Browser

from bpeviz.browser.parts import PARTS, joined_script

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
