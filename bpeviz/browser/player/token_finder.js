// @ts-check
// The field that finds tokens, with suggestions while a person types.

import { closest, create, find } from "../shared/elements.js";

/** @import { FoundToken, Lexicon } from "./lexicon.js" */

export class TokenFinder {
  /**
   * @param {ParentNode} root
   * @param {(id: number) => void} pick
   * @param {() => boolean} leave closes what it found; false if nothing is open
   */
  constructor(root, pick, leave) {
    this.input = find(root, ".find input", HTMLInputElement);
    this.list = find(root, ".found");
    this.note = find(root, ".unfound");
    this.pick = pick;
    this.leave = leave;
    /** @type {Lexicon | null} */
    this.lexicon = null;
    this.active = -1;
    this.list.id = `bpeviz-${Math.random().toString(36).slice(2)}`;
    this.input.setAttribute("aria-controls", this.list.id);
    this.input.addEventListener("input", () => this.suggest());
    this.input.addEventListener("focus", () => this.suggest());
    this.input.addEventListener("blur", () => this.close());
    this.input.addEventListener("keydown", (event) => this.key(event));
    // The field keeps the focus, or its blur would close the list before the click arrives.
    this.list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => {
      const option = closest(event, "li");
      if (option) this.choose(Number(option.dataset.id));
    });
  }

  /** @param {Lexicon} lexicon */
  load(lexicon) {
    this.lexicon = lexicon;
    this.note.textContent = "";
    this.close();
  }

  suggest() {
    this.note.textContent = "";
    const { lexicon } = this;
    if (!lexicon || this.input.value === "") return this.close();
    const found = lexicon.search(this.input.value);
    this.list.replaceChildren(...found.map((token, i) => this.option(lexicon, token, i)));
    this.list.hidden = this.list.childElementCount === 0;
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
    this.activate(-1);
  }

  /**
   * @param {Lexicon} lexicon
   * @param {FoundToken} found
   * @param {number} i
   */
  option(lexicon, [id, as], i) {
    const name = create("bdi", "label", lexicon.run.labels[id]);
    const note = create("small", "", as && as !== "id" ? `${as}, id ${id}` : `id ${id}`);
    const option = create("li", "", name, note);
    option.id = `${this.list.id}-${i}`;
    option.dataset.id = String(id);
    option.setAttribute("role", "option");
    return option;
  }

  close() {
    this.list.hidden = true;
    this.list.replaceChildren();
    this.input.setAttribute("aria-expanded", "false");
    this.activate(-1);
  }

  /**
   * Choose the option that Enter takes, -1 for none.
   * @param {number} index
   */
  activate(index) {
    const options = [...this.list.children];
    this.active = index < options.length ? index : 0;
    for (const [i, each] of options.entries()) each.setAttribute("aria-selected", String(i === this.active));
    const option = options[this.active];
    if (option) this.input.setAttribute("aria-activedescendant", option.id);
    else this.input.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.isComposing) return; // Enter ends the input of a Japanese word
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (this.list.hidden) this.suggest();
      const count = this.list.childElementCount;
      this.activate(
        event.key === "ArrowDown" ? this.active + 1 : (this.active < 1 ? count : this.active) - 1,
      );
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.enter();
    } else if (event.key === "Escape" && this.escape()) {
      event.preventDefault(); // a search field would empty itself
    }
  }

  // Close the list, else what it found; return whether there was something to close.
  escape() {
    if (this.list.hidden) return this.leave();
    this.close();
    return true;
  }

  // Choose the option that the person went to, else the best match.
  enter() {
    const query = this.input.value;
    const option = this.list.children[this.active];
    if (option instanceof HTMLElement) return this.choose(Number(option.dataset.id));
    if (query === "") return;
    const [best] = this.lexicon?.search(query) ?? [];
    if (best) return this.choose(best[0]);
    this.note.textContent = "No token contains this text, and none has these bytes or this id.";
  }

  /** @param {number} id */
  choose(id) {
    this.note.textContent = "";
    this.close();
    this.pick(id);
  }
}
