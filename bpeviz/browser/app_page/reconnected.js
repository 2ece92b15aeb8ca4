// @ts-check
// Runs the page once after each reconnection. What the server sent while there was no connection is lost, and after two
// minutes it has forgotten the session: a fragment alone would then ask for a page that the server doesn't know.

/** @import { ComponentArguments } from "../shared/types" */

/** @param {ComponentArguments<undefined>} component */
export default function ({ parentElement, setTriggerValue }) {
  const app = /** @type {HTMLElement} */ (parentElement.ownerDocument.querySelector("[data-testid=stApp]"));
  const observer = new MutationObserver(() => {
    const { testConnectionState, testScriptState } = app.dataset;
    // Streamlit itself repeats a run that was going on
    if (testConnectionState === "CONNECTED" && testScriptState === "notRunning") setTriggerValue("run", true);
  });
  observer.observe(app, { attributes: true, attributeFilter: ["data-test-connection-state"] });
  return () => observer.disconnect();
}
