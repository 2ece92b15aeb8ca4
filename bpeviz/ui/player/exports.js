// The menu of what can be saved: the coloured text, the table of merges, and every chart of the page.
// A person's text goes into files by way of the DOM and its serializers, or as CSV; it is never pasted into HTML.

const SLICE = 30; // milliseconds of work between two looks at what else there is to do
const TITLE_BYTES = 64; // of a token, in what a cell tells when it is pointed at
const PNG_SCALE = 2;
const PICTURE_MARGIN = 12; // pixels
const URL_KEPT = 30_000; // milliseconds in which the browser has taken up a download

// Such a file asks for nothing and runs nothing, whatever it holds.
const FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

// The theme of the app, light and dark, for files that are read without it; the rest is the player's own sheet.
const FILE_STYLE = `
:root {
  color-scheme: light dark;
  --st-text-color: #1c1e21;
  --st-background-color: #fbfbfa;
  --st-secondary-background-color: #fff;
  --st-primary-color: #2563eb;
}
@media (prefers-color-scheme: dark) {
  :root {
    --st-text-color: #e8e9ea;
    --st-background-color: #101214;
    --st-secondary-background-color: #171a1d;
    --st-primary-color: #60a5fa;
  }
}
* { box-sizing: border-box; }
body { max-width: 1100px; margin: 0 auto; padding: 24px 16px; background: var(--st-background-color); }
h1 { margin: 0; font-size: 20px; }
p { margin: 4px 0 16px; color: var(--mute); }
.text { max-height: none; }
.block { content-visibility: auto; contain-intrinsic-size: auto 2.05em; }
`;

class Exports {
  constructor(root, player) {
    this.root = root;
    this.player = player;
    this.menu = root.querySelector(".export");
    this.choices = this.menu.querySelector(".choices");
    this.progress = this.menu.querySelector("progress");
    this.saved = this.menu.querySelector(".saved");
    this.menu.addEventListener("toggle", () => (this.menu.open ? this.opened() : this.stop()));
  }

  load(pack) {
    this.pack = pack;
    this.menu.open = false; // what it lists is of another run
  }

  stop() {
    this.outside?.abort();
  }

  opened() {
    const rows = [
      ...this.texts().map((text) => this.row(text.name, { HTML: () => this.text(text) })),
      this.row("Merges", { CSV: () => this.merges() }),
      ...chartsOnPage(this.root).map(({ name }) => this.row(name, this.chartFormats(name))),
    ];
    this.choices.replaceChildren(...rows);
    this.saved.textContent = "";
    this.keepInWindow();
    this.outside = new AbortController();
    const { signal } = this.outside;
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.close(), { signal });
    document.addEventListener("pointerdown", (event) => this.pointed(event), { signal });
  }

  pointed(event) {
    if (!event.composedPath().includes(this.menu)) this.menu.open = false;
  }

  close() {
    this.menu.open = false;
    this.menu.querySelector("summary").focus();
  }

  // Under its button; as far to the left as it takes to be seen whole.
  keepInWindow() {
    const list = this.menu.querySelector(".list");
    list.style.left = "0";
    const { right } = list.getBoundingClientRect();
    list.style.left = `${Math.min(0, document.documentElement.clientWidth - 8 - right)}px`;
  }

  row(name, formats) {
    const row = element("div", "");
    row.append(element("span", name));
    for (const [format, make] of Object.entries(formats)) {
      const button = element("button", format);
      button.type = "button";
      button.className = "key";
      button.setAttribute("aria-label", `${name} as ${format}`);
      button.addEventListener("click", () => this.save(button, make));
      row.append(button);
    }
    return row;
  }

  // `make` gives the file's name and its Blob; nothing else is saved meanwhile.
  async save(button, make) {
    this.choices.disabled = true;
    this.saved.textContent = "";
    try {
      const [name, blob] = await make();
      download(name, blob);
      this.saved.textContent = `Saved as ${name}`;
    } catch (error) {
      this.saved.textContent = `This could not be saved: ${error.message}`;
    }
    this.choices.disabled = false;
    this.progress.hidden = true;
    if (this.menu.open) button.focus();
  }

  // The text as this run cuts it, and as the run beside it does.
  texts() {
    const { view, details, beside } = this.player;
    const texts = [{ name: "Text", view, details, pack: this.pack }];
    if (this.pack.beside) texts.push({ name: "Text beside", view: beside.view, details: beside.details, pack: this.pack.beside });
    return texts;
  }

  async text(text) {
    const { step } = text.view;
    const file = await textFile(text, this.root, this.player.shell.className, (share) => {
      this.progress.hidden = false;
      this.progress.value = share;
    });
    return [fileName(text.name, step, "html"), file];
  }

  merges() {
    const blob = new Blob([mergesTable(this.pack)], { type: "text/csv" });
    return [fileName("merges", this.pack.num_merges, "csv"), blob];
  }

  // The page may replace a chart at every step: it is looked for by its name when it is chosen.
  chartFormats(name) {
    const named = (ending) => fileName(name, this.player.step, ending);
    const picture = () => {
      this.player.curves.settle();
      const chart = chartsOnPage(this.root).find((chart) => chart.name === name);
      if (!chart) throw new Error("the page no longer shows it.");
      return standalone(chart.layers, name);
    };
    return {
      SVG: () => [named("svg"), svgFile(picture())],
      PNG: async () => [named("png"), await pngFile(picture())],
      HTML: () => [named("html"), chartFile(picture(), name)],
    };
  }
}

function fileName(what, step, ending) {
  const plain = what.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  return `bpeviz-${plain || "chart"}-${step}.${ending}`;
}

function download(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), URL_KEPT);
}

// A page for a file: its title and styles, and an empty main element.
function filePage(title, style) {
  const page = document.implementation.createHTMLDocument(title);
  page.documentElement.lang = "en";
  const metas = [{ charset: "utf-8" }, { "http-equiv": "Content-Security-Policy", content: FILE_POLICY }];
  metas.push({ name: "viewport", content: "width=device-width, initial-scale=1" });
  for (const attributes of metas.reverse()) {
    const meta = page.createElement("meta");
    for (const [name, value] of Object.entries(attributes)) meta.setAttribute(name, value);
    page.head.prepend(meta);
  }
  page.head.append(Object.assign(page.createElement("style"), { textContent: style }));
  page.body.append(page.createElement("main"));
  return page;
}

const pageSource = (page) => `<!doctype html>\n${page.documentElement.outerHTML}\n`;

// The text

// A file that shows the whole text as the player shows what is in view of it.
async function textFile({ view: shown, details, pack }, root, look, onProgress) {
  const view = viewForFile(shown, details);
  const page = textShell(pack, view, textSheet(root));
  page.body.className = look; // which says whether glyphs and walls are on show
  const [before, after] = pageSource(page).split("<!--text-->");
  const parts = [before];
  const written = [];
  let begun = performance.now();
  for (let b = 0; b < view.count; b++) {
    parts.push(blockSource(view, b));
    if (performance.now() - begun < SLICE) continue;
    onProgress(b / view.count);
    written.push(new Blob([parts.splice(0).join("")]));
    await new Promise((resolve) => setTimeout(resolve));
    begun = performance.now();
  }
  return new Blob([...written, ...parts, after], { type: "text/html" });
}

function textShell(pack, { step, rival }, style) {
  const title = `${pack.title} after ${decimals(step)} of ${decimals(pack.num_merges)} merges`;
  const page = filePage(title, style + FILE_STYLE);
  const total = pack.totals[step];
  const figures =
    `${decimals(pack.text_bytes)} bytes in ${decimals(total)} ${total === 1 ? "token" : "tokens"}: ` +
    `${decimals(bytesPerToken(pack, step), 2)} bytes per token. ` +
    `Outlined: made by the latest merge. Underlined: merges next.${rival ? " Double edge: a boundary only this run has." : ""}`;
  const text = page.createElement("div");
  text.className = "text";
  text.append(page.createComment("text"));
  const heading = Object.assign(page.createElement("h1"), { textContent: title });
  page.querySelector("main").append(heading, Object.assign(page.createElement("p"), { textContent: figures }), text);
  return page;
}

// A copy of a view, because the player may go on to other steps and other runs while a file is written. Its
// cells tell what they are when pointed at. Those of equal tokens are copies of one: there may be a million.
function viewForFile(shown, details) {
  const view = Object.assign(Object.create(TextView.prototype), shown, { drawn: new Map() });
  view.rival &&= { ...view.rival };
  const { text, gaps } = view;
  const cells = new Map();
  view.span = (start, end, blockStart, blockEnd, latest) => {
    const make = () => {
      const cell = TextView.prototype.span.call(view, start, end, blockStart, blockEnd, latest);
      if (latest !== null) cell.title = cellTitle(details, text, { start, end, latest });
      return cell;
    };
    if (latest === null || start < blockStart || end > blockEnd) return make();
    const key = latest >= 0 ? latest : `${binary(text.subarray(start, end))} ${gaps[end - 1] === WALL}`;
    if (!cells.has(key)) cells.set(key, make());
    return cells.get(key).cloneNode(true);
  };
  return view;
}

function cellTitle(details, text, token) {
  const hex = Array.from(text.subarray(token.start, Math.min(token.end, token.start + TITLE_BYTES)), hexByte).join(" ");
  const id = details.id(token, hex);
  const more = token.end - token.start > TITLE_BYTES ? " …" : "";
  return id === undefined ? hex + more : `${hex}${more}, id ${id}`;
}

function blockSource(view, b) {
  const block = view.newBlock(b);
  view.drawn.clear();
  view.fill(block, b);
  return block.outerHTML;
}

// The rules by which the player draws text, off its own style sheet.
function textSheet(root) {
  const sheets = [...root.styleSheets, ...root.adoptedStyleSheets];
  const rules = sheets.flatMap((sheet) => [...sheet.cssRules]);
  const wanted = /^\.bpeviz( |$)|\.(text|block|tok|ws|char|run|gap)\b/;
  const selectors = (rule) => rule.selectorText ?? Array.from(rule.cssRules ?? [], selectors).join(" ");
  return rules.filter((rule) => wanted.test(selectors(rule))).map((rule) => rule.cssText).join("\n");
}

// The merges

const MERGE_COLUMNS =
  "rank,left_id,right_id,token_id,left,right,token,token_bytes,count,tied,tokens_after";

function mergesTable(pack) {
  const { spellings } = new Lexicon(pack);
  const rows = [MERGE_COLUMNS];
  for (let rank = 0; rank < pack.num_merges; rank++) {
    const ids = [pack.lefts[rank], pack.rights[rank], pack.ids[rank]];
    const tokens = ids.map((id) => bytesOf(spellings.get(id)));
    const hex = Array.from(tokens[2], hexByte).join(" ");
    const figures = [pack.counts[rank], pack.tied[rank], pack.totals[rank + 1]];
    rows.push([rank, ...ids, ...tokens.map((token) => csvField(tokenLiteral(token))), hex, ...figures].join(","));
  }
  return `${rows.join("\r\n")}\r\n`;
}

// A token as a JSON string, which no spreadsheet takes for a formula; its bytes where it is no whole characters.
function tokenLiteral(bytes) {
  try {
    return JSON.stringify(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return `<${Array.from(bytes, hexByte).join(" ")}>`;
  }
}

const csvField = (text) => `"${text.replaceAll('"', '""')}"`;

// The charts

// Every chart that is on show: its name, and the SVG elements that make it up, one upon the other.
function chartsOnPage(root) {
  const ours = Array.from(root.querySelectorAll(".chart"), (figure) => ({
    name: figure.querySelector(".name").textContent,
    layers: [...figure.querySelectorAll("svg")],
  }));
  // Streamlit leaves what it is about to take away on the page for a while, and marks it.
  const plots = [...document.querySelectorAll(".js-plotly-plot")].filter((plot) => !plot.closest("[data-stale=true]"));
  const plotly = plots.map((plot) => ({
    name: plot.closest(".stPlotlyChart")?.getAttribute("aria-label") || "Chart",
    layers: [...plot.querySelectorAll(".main-svg")],
  }));
  const shown = [...ours, ...plotly].filter(({ layers }) => layers.some((layer) => layer.getBoundingClientRect().width));
  return shown.map((chart, i) => {
    const before = shown.slice(0, i).filter(({ name }) => name === chart.name).length;
    return before ? { ...chart, name: `${chart.name} ${before + 1}` } : chart;
  });
}

// What a picture has from style sheets: properties that are handed down, and others with what they are unless set.
const HANDED_DOWN = [
  "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray",
  "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "font-family", "font-size",
  "font-weight", "font-style", "font-variant-numeric", "letter-spacing", "text-anchor", "dominant-baseline",
  "white-space", "direction", "visibility", "paint-order", "shape-rendering", "clip-rule",
];
const UNLESS_SET = {
  opacity: "1",
  "clip-path": "none",
  mask: "none",
  "vector-effect": "none",
  "unicode-bidi": "normal",
  "text-decoration-line": "none",
  "stop-color": "rgb(0, 0, 0)",
  "stop-opacity": "1",
};
const NOT_IN_PICTURE = ".hoverlayer, .draglayer, .selectionlayer, script, foreignObject";

// One SVG that shows the layers without the page: with their styles, on the page's ground, with a margin.
function standalone(layers, name) {
  const { width, height } = layers[0].getBoundingClientRect();
  const size = { width: Math.ceil(width) + 2 * PICTURE_MARGIN, height: Math.ceil(height) + 2 * PICTURE_MARGIN };
  const picture = chartPart("svg", { ...size, viewBox: `0 0 ${size.width} ${size.height}` });
  picture.append(chartPart("title", {}, name), chartPart("rect", { ...size, fill: groundOf(layers[0]) }));
  for (const layer of layers) {
    const style = getComputedStyle(layer);
    const group = chartPart("g", { transform: `translate(${PICTURE_MARGIN} ${PICTURE_MARGIN})` });
    group.setAttribute("style", HANDED_DOWN.map((property) => declaration(property, style)).join(""));
    for (const child of layer.children) copyInto(group, child, style);
    picture.append(group);
  }
  return picture;
}

function copyInto(parent, original, parentStyle) {
  const style = getComputedStyle(original);
  if (original.matches(NOT_IN_PICTURE) || style.display === "none") return;
  const copy = original.cloneNode(false);
  copy.removeAttribute("class");
  for (const { name } of [...copy.attributes]) if (name.startsWith("data-")) copy.removeAttribute(name);
  const different = HANDED_DOWN.filter((property) => style.getPropertyValue(property) !== parentStyle.getPropertyValue(property));
  const set = Object.keys(UNLESS_SET).filter((property) => style.getPropertyValue(property) !== UNLESS_SET[property]);
  for (const property of [...HANDED_DOWN, ...Object.keys(UNLESS_SET)]) copy.removeAttribute(property);
  copy.setAttribute("style", [...different, ...set].map((property) => declaration(property, style)).join(""));
  if (!copy.getAttribute("style")) copy.removeAttribute("style");
  for (const child of original.childNodes) {
    if (child instanceof Element) copyInto(copy, child, style);
    else copy.append(child.cloneNode());
  }
  parent.append(copy);
}

function declaration(property, style) {
  const value = style.getPropertyValue(property);
  return value ? `${property}:${forAnyViewer(value)};` : "";
}

// Mixed colours as other programs than browsers know them; references to this file rather than to the page.
function forAnyViewer(value) {
  return value
    .replace(/color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.e-]+))?\)/g, (_, r, g, b, alpha = "1") => {
      const [red, green, blue] = [r, g, b].map((share) => Math.round(share * 255));
      return `rgba(${red}, ${green}, ${blue}, ${alpha})`;
    })
    .replace(/url\(["']?[^"')#]*(#[^"')]+)["']?\)/g, "url($1)");
}

// The first colour behind an element that can be seen.
function groundOf(element) {
  for (let behind = element; behind; behind = behind.parentElement ?? behind.getRootNode().host) {
    const { backgroundColor } = getComputedStyle(behind);
    if (!/^rgba\(.*, 0\)$|^transparent$/.test(backgroundColor)) return forAnyViewer(backgroundColor);
  }
  return "#fff";
}

const svgFile = (picture) =>
  new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" });

async function pngFile(picture) {
  const image = new Image();
  const address = URL.createObjectURL(svgFile(picture));
  try {
    image.src = address;
    await image.decode();
  } finally {
    URL.revokeObjectURL(address);
  }
  const canvas = document.createElement("canvas");
  canvas.width = image.width * PNG_SCALE;
  canvas.height = image.height * PNG_SCALE;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("the picture is too large.");
  return blob;
}

function chartFile(picture, name) {
  const page = filePage(name, "body { margin: 16px; } svg { max-width: 100%; height: auto; }");
  page.body.style.background = picture.querySelector("rect").getAttribute("fill");
  page.querySelector("main").append(page.adoptNode(picture));
  return new Blob([pageSource(page)], { type: "text/html" });
}
