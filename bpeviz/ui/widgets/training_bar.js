// @ts-check
// Reruns the training bar every so often, while the page and the server are otherwise quiet.
//
// A fragment's own `run_every` doesn't wait. If it asked just after a click on another page, the server would go
// back to the old page. So this waits until nothing has happened for a while.

const QUIET_MILLISECONDS = 300;

/** @import { ComponentArguments } from "../components/shared/types" */

/** @param {ComponentArguments<undefined>} component */
export default function ({ parentElement, setTriggerValue }) {
  const page = parentElement.ownerDocument;
  const app = /** @type {HTMLElement} */ (page.querySelector("[data-testid=stApp]"));
  const answered = () => app.dataset.testScriptState === "notRunning";
  let since = performance.now();
  const stir = () => {
    since = performance.now();
  };
  const observer = new MutationObserver(stir);
  observer.observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });
  page.addEventListener("pointerdown", stir, true);
  const timer = setInterval(() => {
    if (answered() && performance.now() - since >= QUIET_MILLISECONDS) {
      stir();
      setTriggerValue("look", true);
    }
  }, QUIET_MILLISECONDS / 3);
  return () => {
    clearInterval(timer);
    observer.disconnect();
    page.removeEventListener("pointerdown", stir, true);
  };
}
