// @ts-check
// What stands beside the player, one panel at a time, as tabs.

import { create, setAttributes } from "../shared/elements.js";

/** A panel; `onShow` is called when it comes. @typedef {{ name: string, host: Element, onShow: () => void }} SidePanel */

export class Side {
  /**
   * @param {SidePanel[]} panels the first is on show
   */
  constructor(panels) {
    this.panels = panels;
    this.tabs = panels.map(({ name, host }, i) => {
      const tab = create("button", "", name);
      host.id = `panel-${i}`;
      setAttributes(tab, { type: "button", role: "tab", id: `tab-${i}`, "aria-controls": host.id });
      setAttributes(host, { role: "tabpanel", "aria-labelledby": tab.id });
      tab.addEventListener("click", () => this.show(i));
      return tab;
    });
    const list = create("div", "tabs", ...this.tabs);
    setAttributes(list, { role: "tablist", "aria-label": "Beside the text" });
    list.addEventListener("keydown", ({ key }) => {
      if (key === "ArrowRight" || key === "ArrowLeft") this.walk(key === "ArrowRight" ? 1 : -1);
    });
    document.getElementById("parts")?.append(create("div", "side", list, ...panels.map(({ host }) => host)));
    this.show(0);
  }

  /** @param {number} place */
  show(place) {
    for (const [i, tab] of this.tabs.entries()) {
      tab.setAttribute("aria-selected", String(i === place));
      tab.tabIndex = i === place ? 0 : -1;
      this.panels[i].host.toggleAttribute("hidden", i !== place);
    }
    this.panels[place].onShow();
  }

  /** @param {number} by */
  walk(by) {
    const { length } = this.tabs;
    const place = (this.tabs.findIndex((tab) => tab.tabIndex === 0) + by + length) % length;
    this.show(place);
    this.tabs[place].focus();
  }
}
