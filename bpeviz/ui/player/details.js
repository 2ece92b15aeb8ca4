// What a token is, on hover: its text, bytes and id, the merge that made it, and how often it stands in the
// text now. Everything is read off the pack; nothing is asked of the server.

const BYTES_SHOWN = 24;

class Details {
  constructor(root, view) {
    this.view = view;
    this.tip = root.querySelector(".tip");
    const scroller = root.querySelector(".text");
    scroller.addEventListener("pointermove", (event) => this.show(event));
    scroller.addEventListener("pointerleave", () => this.hide());
    scroller.addEventListener("scroll", () => this.hide(), { passive: true });
  }

  load(pack) {
    this.pack = pack;
    this.hide();
  }

  hide() {
    this.tip.hidden = true;
    this.shown = null;
  }

  show(event) {
    const span = event.target.closest?.(".tok");
    if (!span) return this.hide();
    if (span !== this.shown) {
      this.shown = span;
      this.tip.replaceChildren(...this.lines(span.token));
      this.tip.hidden = false;
    }
    const { width, height } = this.tip.getBoundingClientRect();
    const below = event.clientY + 18 + height < innerHeight;
    this.tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8))}px`;
    this.tip.style.top = `${below ? event.clientY + 18 : event.clientY - height - 10}px`;
  }

  lines(token) {
    const { pack } = this;
    const bytes = pack.text.subarray(token.start, token.end);
    const hex = Array.from(bytes.subarray(0, BYTES_SHOWN), hexByte).join(" ");
    const id = token.latest >= 0 ? pack.ids?.[token.latest] : pack.base_ids?.[hex.replaceAll(" ", "").toLowerCase()];
    const lines = [];
    if (id !== undefined) lines.push(line("token ", pack.labels[id]));
    lines.push(line(`${bytes.length.toLocaleString("en")} ${bytes.length === 1 ? "byte" : "bytes"} `, hex + (bytes.length > BYTES_SHOWN ? " …" : "")));
    if (id !== undefined) lines.push(line(`id ${id}, ${this.count(token)} in the text now`));
    if (token.latest >= 0 && pack.ids) {
      const made = `${pack.labels[pack.lefts[token.latest]]} + ${pack.labels[pack.rights[token.latest]]}`;
      lines.push(line(`merge ${(token.latest + 1).toLocaleString("en")}: `, made));
    } else if (token.latest < 0) {
      lines.push(line("in the base vocabulary"));
    }
    return lines;
  }

  // Tokens of more than one symbol are told apart by the merge that made them, others by their bytes.
  count(token) {
    const { gaps, text } = this.pack;
    const { step } = this.view;
    let count = 0;
    let start = 0;
    let latest = -1;
    for (let i = 0; i < gaps.length; i++) {
      if (gaps[i] < step) {
        if (gaps[i] > latest) latest = gaps[i];
        continue;
      }
      if (latest === token.latest && gaps[i] !== SKIPPED && (latest >= 0 || same(text, start, i + 1, token))) count++;
      start = i + 1;
      latest = -1;
    }
    return count.toLocaleString("en");
  }
}

function same(text, start, end, token) {
  if (end - start !== token.end - token.start) return false;
  for (let i = 0; i < end - start; i++) if (text[start + i] !== text[token.start + i]) return false;
  return true;
}

function line(text, code) {
  const made = element("div", text);
  if (code !== undefined) made.append(element("code", code));
  return made;
}
