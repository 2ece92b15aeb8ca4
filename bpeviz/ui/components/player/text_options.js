// How the text is shown, as the person last chose it on any page: kept by the browser, and here for browsers
// that keep nothing.
const textOptions = { glyphs: true, walls: false };

class TextOptions {
  constructor(shell) {
    this.shell = shell;
    this.boxes = [...shell.querySelectorAll("[data-option]")];
    this.apply = () => this.show();
    for (const box of this.boxes) box.addEventListener("change", () => this.set(box.dataset.option, box.checked));
    addEventListener("bpeviz-options", this.apply); // sent to every text of the page
    for (const name of Object.keys(textOptions)) {
      try {
        const kept = localStorage.getItem(`bpeviz-${name}`);
        if (kept !== null) textOptions[name] = kept === "on";
      } catch {
        break;
      }
    }
    this.show();
  }

  stop() {
    removeEventListener("bpeviz-options", this.apply);
  }

  set(name, on) {
    textOptions[name] = on;
    try {
      localStorage.setItem(`bpeviz-${name}`, on ? "on" : "off");
    } catch {
      // It holds until the page is left.
    }
    dispatchEvent(new Event("bpeviz-options"));
  }

  toggle(name) {
    this.set(name, !textOptions[name]);
  }

  show() {
    for (const [name, on] of Object.entries(textOptions)) this.shell.classList.toggle(name, on);
    for (const box of this.boxes) box.checked = textOptions[box.dataset.option];
  }
}
