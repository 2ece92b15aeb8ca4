// The field that finds tokens, with suggestions as a person types.
class TokenFinder {
  constructor(card, pick) {
    this.input = card.querySelector(".find input");
    this.list = card.querySelector(".found");
    this.note = card.querySelector(".unfound");
    this.pick = pick;
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
      const option = event.target.closest("li");
      if (option) this.choose(option.tokenId);
    });
  }

  load(lexicon) {
    this.lexicon = lexicon;
    this.note.textContent = "";
    this.close();
  }

  suggest() {
    this.note.textContent = "";
    if (!this.lexicon || this.input.value === "") return this.close();
    this.list.replaceChildren(...this.lexicon.search(this.input.value).map(([id, as], i) => this.option(id, as, i)));
    this.list.hidden = this.list.childElementCount === 0;
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
    this.activate(-1);
  }

  option(id, as, i) {
    const option = cardPart("li", "", cardPart("bdi", "label", this.lexicon.pack.labels[id]), cardPart("small", "", as && as !== "id" ? `${as}, id ${id}` : `id ${id}`));
    option.id = `${this.list.id}-${i}`;
    option.tokenId = id;
    option.setAttribute("role", "option");
    return option;
  }

  close() {
    this.list.hidden = true;
    this.list.replaceChildren();
    this.input.setAttribute("aria-expanded", "false");
    this.activate(-1);
  }

  // The option that Enter takes, -1 for none; from none, up goes to the last one.
  activate(index) {
    const options = [...this.list.children];
    this.active = index < options.length ? index : 0;
    options.forEach((option, i) => option.setAttribute("aria-selected", String(i === this.active)));
    const option = options[this.active];
    if (option) this.input.setAttribute("aria-activedescendant", option.id);
    else this.input.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  }

  key(event) {
    if (event.isComposing) return; // Enter ends the input of a Japanese word
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (this.list.hidden) this.suggest();
      this.activate(event.key === "ArrowDown" ? this.active + 1 : (this.active < 1 ? this.list.childElementCount : this.active) - 1);
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
    if (option) return this.choose(option.tokenId);
    if (query === "") return;
    const [exact] = this.lexicon.exact(query);
    if (exact) return this.choose(exact[0]);
    const similar = this.list.childElementCount > 0;
    this.note.textContent = `No token has exactly this text, these bytes or this id${similar ? "; those listed begin with it or contain it" : ""}.`;
  }

  choose(id) {
    this.note.textContent = "";
    this.close();
    this.pick(id);
  }
}
