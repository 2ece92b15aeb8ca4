// The menu of what can be saved: the coloured text, the table of merges, and every chart of the page.
// A person's text goes into files by way of the DOM and its serializers, or as CSV; it is never pasted into HTML.

const URL_KEPT = 30_000; // milliseconds in which the browser has taken up a download

// Such a file asks for nothing and runs nothing, whatever it holds.
const FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

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
