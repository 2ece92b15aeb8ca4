// The longest stretches of text in which the two sides share no boundary, each once, with a way to every place.

const DISAGREEMENTS_SHOWN = 20;
const TOKENS_SHOWN = 24;

class Disagreements {
  constructor(card, view) {
    this.card = card;
    this.view = view;
  }

  load(text, names) {
    this.text = text;
    this.names = names;
  }

  show() {
    const all = this.view.disagreements();
    this.card.querySelector(".how-many").textContent = `${decimals(all.length)} in all`;
    const rows = this.longest(all).map((places) => this.row(places));
    if (rows.length === 0) rows.push(element("li", "None: both cut this text alike."));
    this.card.querySelector("ol").replaceChildren(...rows);
  }

  // The places of each of the longest stretches that differ in bytes or in cuts.
  longest(all) {
    const order = all.map((_, i) => i).sort((a, b) => all[b][1] - all[b][0] - (all[a][1] - all[a][0]) || a - b);
    const groups = new Map();
    let length = Infinity;
    for (const i of order) {
      const [start, end] = all[i];
      if (groups.size >= DISAGREEMENTS_SHOWN && end - start < length) break;
      length = end - start;
      const key = binary(this.text.subarray(start, end)) + binary(this.view.codes.subarray(start, end));
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(all[i]);
    }
    return [...groups.values()].slice(0, DISAGREEMENTS_SHOWN);
  }

  row(places) {
    const row = document.createElement("li");
    const [start, end] = places[0];
    const cuts = document.createElement("div");
    cuts.className = "two-cuts";
    cuts.append(...this.names.flatMap((name, side) => [element("span", name), this.tokens(side, start, end)]));
    const button = element("button", "Show");
    button.type = "button";
    button.className = "key";
    let next = 0;
    button.addEventListener("click", () => {
      this.reveal(places[next]);
      next = (next + 1) % places.length;
      button.textContent = places.length > 1 ? `Show ${decimals(next + 1)} of ${decimals(places.length)}` : "Show";
    });
    if (places.length > 1) button.textContent = `Show 1 of ${decimals(places.length)}`;
    row.append(cuts, button);
    return row;
  }

  // How one side cuts a stretch.
  tokens(side, start, end) {
    const list = element("code", "");
    let from = start;
    const ends = this.view.cuts(side, start, end);
    for (const to of ends.slice(0, TOKENS_SHOWN)) {
      const token = element("span", shownToken(this.text, from, to));
      token.className = "cut";
      list.append(token);
      from = to;
    }
    if (ends.length > TOKENS_SHOWN) list.append(` … and ${decimals(ends.length - TOKENS_SHOWN)} more`);
    return list;
  }

  reveal([start, end]) {
    this.view.found = { start, end };
    this.view.draw(0, true);
    this.view.reveal(start);
    this.view.scroller.scrollIntoView({ block: "nearest" });
  }
}
