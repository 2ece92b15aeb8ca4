// The card of one token: what it is, the tree of merges that made it, and where it stands in the text.
// Everything is read off the pack; nothing is asked of the server.

const TREE_NODES = 150;

// The bytes of the token last picked. A new run comes with a new component; this outlives it.
let bytesKept = null;

class TokenCard {
  constructor(root, view, go) {
    this.root = root;
    this.view = view;
    this.go = go;
    this.card = root.querySelector(".card.token");
    this.part = (name) => this.card.querySelector(`.${name}`);
    this.finder = new TokenFinder(this.card, (id) => this.pickId(id));
    this.token = null;
    this.way = []; // the tokens whose trees led here
    this.part("born").addEventListener("click", () => this.go(this.token.latest + 1));
    this.part("back-to").addEventListener("click", () => this.back());
    this.part("clear").addEventListener("click", () => this.clear());
    this.part("previous").addEventListener("click", () => this.jumpBy(-1));
    this.part("following").addEventListener("click", () => this.jumpBy(1));
    this.part("tree").addEventListener("click", (event) => this.enter(event));
    this.part("tree").addEventListener("keydown", (event) => this.walk(event));
  }

  load(pack) {
    this.pack = pack;
    this.step = this.view.step;
    this.lexicon = new Lexicon(pack);
    this.finder.load(this.lexicon);
    this.view.onPick = ({ start, end }) => this.pickPlace(start, end);
    const [same] = bytesKept === null ? [] : this.lexicon.withBytes(bytesKept);
    if (same === undefined) this.clear();
    else this.pickId(same);
  }

  show(step) {
    this.step = step;
    if (!this.token) return;
    this.part("nth").setAttribute("aria-live", "off");
    this.showPlaces();
  }

  // The token that stands in the text from start to end.
  pickPlace(start, end) {
    this.way = [];
    this.pick(this.lexicon.token(this.pack, start, end), start);
  }

  // A token of another run, by its bytes.
  pickSpelling(spelling) {
    const [id] = this.lexicon.withBytes(spelling);
    if (id === undefined) this.finder.note.textContent = "The run on show has no such token.";
    else this.pickId(id);
  }

  // A token by its id: as it stands in the text now if it does, else where it once stood.
  pickId(id) {
    const spelled = this.lexicon.spelled(id);
    const places = this.lexicon.places(spelled);
    const i = Math.max(0, places.starts.findIndex((_, n) => places.stands(n, this.step)));
    this.way = [];
    this.pick(places.starts.length ? this.lexicon.token(this.pack, places.starts[i], places.ends[i], id) : spelled, null, places);
  }

  pick(token, place, places = this.lexicon.places(token)) {
    this.token = token;
    this.place = place; // the offset of the occurrence last jumped to or clicked
    this.places = places;
    bytesKept = binary(token.source.text.subarray(token.start, token.end));
    this.part("nothing").hidden = true;
    this.part("something").hidden = false;
    this.view.pick?.(token.source === this.pack ? token : null);
    this.showFacts();
    this.showTree();
    this.showPlaces();
  }

  clear() {
    const focused = this.card.contains(this.root.activeElement);
    this.token = null;
    this.way = [];
    bytesKept = null;
    this.part("nothing").hidden = false;
    this.part("something").hidden = true;
    this.part("tree").replaceChildren();
    this.view.pick?.(null);
    if (focused) this.finder.input.focus();
  }

  showFacts() {
    const { token, lexicon, pack } = this;
    const { start, end, latest, id, source } = token;
    const swatch = this.part("swatch");
    swatch.textContent = lexicon.label(token);
    swatch.style.setProperty("--hue", this.hue(token));
    swatch.classList.toggle("one", latest < 0);
    const bytes = `${(end - start).toLocaleString("en")} ${end - start === 1 ? "byte" : "bytes"}`;
    this.part("identity").replaceChildren(
      ...(id === undefined ? [] : [`id ${id} · `]),
      `${bytes} `,
      cardPart("code", "", shownBytes(source.text, start, end)),
    );
    const label = (part) => cardPart("bdi", "label", pack.labels[part]);
    const made = latest >= 0 ? [`made by ${mergeName(latest)} from `, label(pack.lefts[latest]), " + ", label(pack.rights[latest])] : [this.unmade()];
    this.part("origin").replaceChildren(...made);
    const [whole] = this.way.slice(-1);
    this.part("back-to").hidden = !whole;
    if (whole) this.part("back-to").replaceChildren("Back to ", cardPart("bdi", "label", lexicon.label(whole.token)));
  }

  unmade() {
    const { id } = this.token;
    if (id === undefined || this.lexicon.baseIds.has(id)) return "in the base vocabulary";
    return this.pack.ids.includes(id) ? "made by a merge that this text never needs" : "a special token: not learned from the text";
  }

  // How often the token stands in the text at the step on show, and which of them was jumped to.
  showPlaces() {
    const { token, step } = this;
    const { total, before, here } = this.places.count(step, this.place ?? -1);
    const after = `After ${step.toLocaleString("en")} ${step === 1 ? "merge" : "merges"} it stands `;
    const times = total === 1 ? "once" : `${total.toLocaleString("en")} times`;
    this.part("stands").textContent = total ? `${after}in the text ${times}.` : this.nowhere(after);
    this.part("jumps").hidden = total === 0;
    this.part("nth").textContent = `${here ? (before + 1).toLocaleString("en") : "–"} of ${total.toLocaleString("en")}`;
    const born = this.part("born");
    born.textContent = token.latest < 0 ? "Go to the start" : `Go to ${mergeName(token.latest)}`;
    born.hidden = token.latest < 0 && (total > 0 || this.places.starts.length === 0);
  }

  nowhere(after) {
    const { made } = this.places;
    if (!made.length) return "It stands nowhere in this text, at any step.";
    const earliest = made.reduce((a, b) => Math.min(a, b));
    if (this.step <= earliest) return `${after}nowhere: ${mergeName(earliest)} has yet to make it.`;
    return `${after}nowhere: merges have joined every one into a longer token.`;
  }

  hue({ source, start, end }) {
    return this.view.hue.call(source, start, end); // of these bytes, which need not be the text on show
  }

  // Scroll to the n-th occurrence from the present one, around the ends.
  jumpBy(n) {
    if (!this.token) return;
    const { total, before, here } = this.places.count(this.step, this.place ?? -1);
    if (total === 0) return;
    const present = this.place === null ? (n > 0 ? -1 : 0) : here || n < 0 ? before : before - 1;
    const i = this.places.nth(this.step, (((present + n) % total) + total) % total);
    this.place = this.places.starts[i];
    const former = this.token;
    this.token = this.lexicon.token(this.pack, this.place, this.places.ends[i], former.id);
    if (this.lexicon.mergesRepeat || former.source !== this.pack) {
      // The same token may be built otherwise here.
      this.showFacts();
      this.showTree();
    }
    this.part("nth").setAttribute("aria-live", "polite"); // a jump is said aloud, a step is not
    this.showPlaces();
    this.flash(this.view.reveal(this.place));
  }

  flash(cell) {
    for (const flashed of this.root.querySelectorAll(".tok.here")) flashed.classList.remove("here");
    if (!cell) return;
    void cell.offsetWidth; // the same cell flashes again only if drawn without the class once
    cell.classList.add("here");
  }

  showTree() {
    const hadFocus = this.part("tree").contains(this.root.activeElement);
    const list = document.createElement("ul");
    const queue = [];
    let nodes = 0;
    const add = (token, to) => {
      const item = document.createElement("li");
      item.append(this.node(token));
      to.append(item);
      nodes++;
      if (token.latest >= 0) queue.push([token, item]);
    };
    add(this.token, list);
    for (const [token, item] of queue) {
      if (nodes + 2 > TREE_NODES) {
        this.fold(item.firstChild);
        continue;
      }
      const below = document.createElement("ul");
      item.append(below);
      for (const part of this.lexicon.parts(token)) add(part, below);
    }
    const tree = this.part("tree");
    tree.dir = RIGHT_TO_LEFT.test(FIRST_LETTER.exec(this.lexicon.label(this.token))?.[0] ?? "") ? "rtl" : "ltr";
    tree.replaceChildren(list);
    tree.scrollTo(0, 0);
    const [top] = this.nodes();
    top.tabIndex = 0;
    top.setAttribute("aria-current", "true");
    if (hadFocus) top.focus({ preventScroll: true });
  }

  node(token) {
    const label = this.lexicon.label(token);
    const merged = token.latest >= 0;
    const button = cardPart("button", merged ? "node" : "node leaf", cardPart("span", "", cardPart("bdi", "label", label)));
    if (merged) button.firstChild.append(cardPart("small", "", (token.latest + 1).toLocaleString("en")));
    button.type = "button";
    button.tabIndex = -1;
    button.token = token;
    button.style.setProperty("--hue", this.hue(token));
    button.setAttribute("aria-label", `${label}, ${merged ? `made by ${mergeName(token.latest)}` : "in the base vocabulary"}`);
    return button;
  }

  // A box for all that is below it: too much to draw here, but the box can be picked.
  fold(button) {
    button.classList.add("folded");
    button.firstChild.append(cardPart("small", "", "…"));
    button.setAttribute("aria-label", `${button.getAttribute("aria-label")}, more below`);
  }

  nodes() {
    return [...this.card.querySelectorAll(".tree .node")];
  }

  enter(event) {
    const button = event.target.closest(".node");
    if (!button || button === this.nodes()[0]) return;
    this.way.push({ token: this.token, place: this.place });
    const { token } = button;
    this.pick(token, token.source === this.pack ? token.start : null);
  }

  back() {
    const { token, place } = this.way.pop();
    this.pick(token, place);
    if (!this.way.length) this.nodes()[0].focus({ preventScroll: true }); // the button is gone
  }

  // One stop of the Tab key for the whole tree; in it, the arrows that do not step.
  walk(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const nodes = this.nodes();
    const from = nodes.indexOf(this.root.activeElement);
    const to = nodes[from + by];
    if (!to) return;
    nodes[from].tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  }
}

const mergeName = (rank) => `merge ${(rank + 1).toLocaleString("en")}`;

function cardPart(name, className, ...content) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...content);
  return made;
}
