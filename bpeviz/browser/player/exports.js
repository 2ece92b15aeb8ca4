// @ts-check
// What the export menu saves: the player as a page that needs no server, the coloured text, the table of merges, and
// every chart of the app's page. On Watch the menu is the app's, which adds the tokenizer files; elsewhere the player's.

import {
  chartFile,
  chartsOnPage,
  pictureOf,
  plainName,
  pngFile,
  saveFile,
  svgFile,
} from "../shared/chart_file.js";
import { create, find } from "../shared/elements.js";
import { mergesTable } from "./merges_file.js";
import { requestPage } from "./page_request.js";
import { stage } from "./stage.js";
import { MOST_TEXT, textFile } from "./text_file.js";

/** @import { MakeFile, NamedFile } from "../shared/chart_file.js" */
/** @import { Player } from "./merge_player.js" */
/** @import { ShownText } from "./text_file.js" */

export class ExportList {
  /**
   * @param {ParentNode} list
   * @param {Player} player
   */
  constructor(list, player) {
    this.player = player;
    this.choices = find(list, ".choices", HTMLFieldSetElement);
    this.progress = find(list, "progress", HTMLProgressElement);
    this.saved = find(list, ".saved");
    /** What a page saves besides, by name and format. @type {Record<string, Record<string, MakeFile>>} */
    this.more = {};
  }

  // Those with charts of ours.
  get roots() {
    const pairs = stage.pairs;
    return pairs ? [this.player.root, pairs.root] : [this.player.root];
  }

  show() {
    const page = [
      create("strong", "", "Page to share"),
      this.row("Interactive page (.html)", { HTML: () => this.page() }),
      create("strong", "", "Charts and tables"),
    ];
    this.choices.replaceChildren(
      ...(this.player.run.saves ? page : []),
      ...Object.entries(this.texts()).map(([name, text]) =>
        this.row(name + part(text), { HTML: () => this.text(name, text) }),
      ),
      this.row("Merges", { CSV: () => this.merges() }),
      ...Object.entries(this.more).map(([name, formats]) => this.row(name, formats)),
      ...chartsOnPage(this.roots).map(({ name }) => this.row(name, this.chartFormats(name))),
    );
    this.saved.textContent = "";
  }

  /**
   * @param {string} name
   * @param {Record<string, MakeFile>} formats
   */
  row(name, formats) {
    const row = create("div", "", create("span", "", name));
    for (const [format, make] of Object.entries(formats)) {
      const button = create("button", "key", format);
      button.type = "button";
      button.setAttribute("aria-label", `${name} as ${format}`);
      button.addEventListener("click", () => this.save(button, make));
      row.append(button);
    }
    return row;
  }

  /**
   * Make a file and download it; the other choices are disabled meanwhile.
   * @param {HTMLElement} button
   * @param {MakeFile} make
   */
  async save(button, make) {
    this.choices.disabled = true;
    this.saved.textContent = "";
    this.saved.textContent = await saveFile(make);
    this.choices.disabled = false;
    this.progress.hidden = true;
    button.focus();
  }

  /**
   * The page with both runs if another is beside this one, at this step.
   * @returns {Promise<NamedFile>}
   */
  async page() {
    this.player.transport.pause();
    const { step } = this.player;
    this.progress.removeAttribute("value"); // its length is unknown
    this.progress.hidden = false;
    const file = await requestPage((asked) => this.player.askForPage(asked));
    return [fileName("interactive page", step, "html"), file];
  }

  // The text as this run cuts it, and as the run beside it does.
  texts() {
    const { view, run, beside } = this.player;
    /** @type {Record<string, ShownText>} */
    const texts = { Text: { view, run } };
    if (beside.run) texts["Text of the other run"] = { view: beside.view, run: beside.run };
    return texts;
  }

  /**
   * @param {string} name
   * @param {ShownText} text
   * @returns {Promise<NamedFile>}
   */
  async text(name, text) {
    const { step } = text.view;
    const file = await textFile(text, this.player.root, this.player.shell.className, (share) => {
      this.progress.hidden = false;
      this.progress.value = share;
    });
    return [fileName(name, step, "html"), file];
  }

  /** @returns {NamedFile} */
  merges() {
    const { run } = this.player;
    const blob = new Blob([mergesTable(run)], { type: "text/csv" });
    return [fileName("merges", run.num_merges, "csv"), blob];
  }

  /**
   * @param {string} name
   * @returns {Record<string, MakeFile>}
   */
  chartFormats(name) {
    /** @param {string} ending */
    const named = (ending) => fileName(name, this.player.step, ending);
    const picture = () => {
      this.player.curves.settle();
      return pictureOf(this.roots, name);
    };
    return {
      SVG: () => [named("svg"), svgFile(picture())],
      PNG: async () => [named("png"), await pngFile(picture())],
      HTML: () => [named("html"), chartFile(picture(), name)],
    };
  }
}

export class ExportMenu {
  /**
   * @param {ShadowRoot} root
   * @param {Player} player
   */
  constructor(root, player) {
    this.menu = find(root, ".export", HTMLDetailsElement);
    this.list = new ExportList(this.menu, player);
    /** @type {AbortController | null} */
    this.outside = null; // stops the listeners outside of the open menu
    this.menu.addEventListener("toggle", () => (this.menu.open ? this.opened() : this.stop()));
  }

  // The menu lists another run's charts: close it.
  load() {
    this.menu.open = false;
    this.menu.hidden = this.list.player.run.saves;
  }

  stop() {
    this.outside?.abort();
  }

  opened() {
    this.list.show();
    this.keepInWindow();
    this.outside = new AbortController();
    const { signal } = this.outside;
    const onKey = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && this.close();
    document.addEventListener("keydown", onKey, { signal });
    document.addEventListener("pointerdown", (event) => this.pointed(event), { signal });
  }

  /** @param {PointerEvent} event */
  pointed(event) {
    if (!event.composedPath().includes(this.menu)) this.menu.open = false;
  }

  close() {
    this.menu.open = false;
    find(this.menu, "summary").focus();
  }

  // Put the list under its button, and as far to the left as needed to show all of it.
  keepInWindow() {
    const list = find(this.menu, ".list");
    list.style.left = "0";
    const { right } = list.getBoundingClientRect();
    list.style.left = `${Math.min(0, document.documentElement.clientWidth - 8 - right)}px`;
  }
}

/**
 * @param {string} what
 * @param {number} step
 * @param {string} ending
 */
export const fileName = (what, step, ending) => `bpeviz-${plainName(what)}-${step}.${ending}`;

/**
 * Of a long text the file has a part; that is part of its name in the menu.
 * @param {ShownText} shown
 */
const part = ({ view }) => (view.text.length > MOST_TEXT ? " (0.5 MB from the line in view)" : "");
