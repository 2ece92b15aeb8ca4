// @ts-check
// Reruns the training bar every so often, while the page and the server are otherwise quiet.
//
// A fragment's own `run_every` doesn't wait. If it asked just after a click on the link to another page, the
// server would go back to the old page. So this waits until nothing has happened for a while, and after such a
// click until the server has answered it, which may take long over a slow connection.

const QUIET_MILLISECONDS = 300;
/** For a link that the server is never asked about. */
const MOST_MILLISECONDS_FOR_ANSWER = 30_000;

/** @import { ComponentArguments } from "../shared/types" */

/** @param {ComponentArguments<undefined>} component */
export default function ({ parentElement, setTriggerValue }) {
  const page = parentElement.ownerDocument;
  const app = /** @type {HTMLElement} */ (page.querySelector("[data-testid=stApp]"));
  const answered = () => app.dataset.testScriptState === "notRunning";
  let since = performance.now();
  let quietFor = QUIET_MILLISECONDS;
  const stir = () => {
    since = performance.now();
  };
  const pageAsked = () => {
    stir();
    quietFor = MOST_MILLISECONDS_FOR_ANSWER;
  };
  /** @param {Event} click */
  const linkClicked = (click) => {
    if (click.target instanceof Element && click.target.closest("a[href]:not([download], [target=_blank])"))
      pageAsked();
  };
  const observer = new MutationObserver(() => {
    stir();
    quietFor = QUIET_MILLISECONDS;
  });
  observer.observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });
  page.addEventListener("pointerdown", stir, true);
  page.addEventListener("click", linkClicked, true);
  addEventListener("popstate", pageAsked);
  const timer = setInterval(() => {
    if (answered() && performance.now() - since >= quietFor) {
      stir();
      setTriggerValue("look", true);
    }
  }, QUIET_MILLISECONDS / 3);
  return () => {
    clearInterval(timer);
    observer.disconnect();
    page.removeEventListener("pointerdown", stir, true);
    page.removeEventListener("click", linkClicked, true);
    removeEventListener("popstate", pageAsked);
  };
}
