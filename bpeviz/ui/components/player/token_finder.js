// @ts-check
// The field that finds tokens, with suggestions while a person types.

import { closest, create, find } from "../shared/elements.js";

/** @import { FoundToken, Lexicon } from "./lexicon.js" */

export class TokenFinder {
  /**
   * @param {ParentNode} card
   * @param {(id: number) => void} pick
   */
  constructor(card, pick) {
    this.input = find(card, ".find input", HTMLInputElement);
    this.list = find(card, ".found");
    this.note = find(card, ".unfound");
    this.pick = pick;
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
    } else if (event.key === "Escape" && !this.list.hidden) {
      event.preventDefault(); // a search field would empty itself
      this.close();
    }
  }

  enter() {
    const query = this.input.value;
    const option = this.list.children[this.active];
    if (option instanceof HTMLElement) return this.choose(Number(option.dataset.id));
    if (query === "") return;
    const [exact] = this.lexicon?.exact(query) ?? [];
    if (exact) return this.choose(exact[0]);
    const similar = this.list.childElementCount > 0;
    const listed = similar ? "; those listed begin with it or contain it" : "";
    this.note.textContent = `No token has exactly this text, these bytes or this id${listed}.`;
  }

  /** @param {number} id */
  choose(id) {
    this.note.textContent = "";
    this.close();
    this.pick(id);
  }
}
