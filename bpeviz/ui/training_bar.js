// Has the training bar look again every so often, once everything that was asked of the server is answered.
//
// A fragment's own `run_every` asks without waiting. Asked just after a click on another page, the server
// would go back to the page that this one still thinks it is on.

const EVERY_MILLISECONDS = 300;

export default function ({ parentElement, setTriggerValue }) {
  // The host of the component is a shadow root or an element of the page; the app is outside of both.
  const app = parentElement.ownerDocument.querySelector("[data-testid=stApp]");
  const answered = () => !app || app.dataset.testScriptState === "notRunning";
  const timer = setInterval(() => {
    if (answered()) setTriggerValue("look", true);
  }, EVERY_MILLISECONDS);
  return () => clearInterval(timer);
}
