// @ts-check
// Every chart of the page as an SVG, PNG or HTML file that contains all its styles.

import { createSvg, find, findAll } from "./elements.js";
import { filePage, pageSource } from "./file_page.js";

/**
 * A chart on the page. Its picture also has a heading and notes, for people who don't see the page around it.
 * @typedef {{ name: string, layers: SVGSVGElement[], heading?: string, notes?: string[] }} ShownChart
 */
/** @typedef {[name: string, blob: Blob]} NamedFile */
/** Gives the file's name and its content. @typedef {() => NamedFile | Promise<NamedFile>} MakeFile */

const PNG_SCALE = 2;
const PICTURE_MARGIN = 12; // pixels
const HEADING = { size: 17, weight: 600, line: 24 }; // pixels
const NOTE = { size: 12.5, weight: 400, line: 18 };
const NARROWEST_NOTES = 480; // pixels
const ANY_FONT = "system-ui, sans-serif"; // a picture has no fonts in it
const WIDER_FONT = 1.1; // another computer's may be wider
const URL_KEPT = 30_000; // milliseconds, enough for the browser to start a download

/**
 * Every visible chart of Plotly's and of ours in the roots: its name, and its SVG elements, which lie on top of each
 * other.
 * @param {ShadowRoot[]} roots
 * @returns {ShownChart[]}
 */
export function chartsOnPage(roots) {
  const figures = roots.flatMap((root) => findAll(root, ".chart"));
  const ours = figures.map((figure) => ({
    name: figure.getAttribute("aria-label") ?? figure.querySelector(".name")?.textContent ?? "",
    layers: [...figure.querySelectorAll("svg")],
    heading: figure.dataset.heading,
    notes: figure.dataset.notes?.split("\n"),
  }));
  // Streamlit marks elements that it will remove as stale.
  const plots = findAll(document, ".js-plotly-plot").filter((plot) => !plot.closest("[data-stale=true]"));
  const plotly = plots.map((plot) => ({
    name: plot.closest(".stPlotlyChart")?.getAttribute("aria-label")?.split(": ")[0] || "Chart",
    layers: /** @type {SVGSVGElement[]} */ ([...plot.querySelectorAll(".main-svg")]),
  }));
  const shown = [...ours, ...plotly].filter(({ layers }) =>
    layers.some((layer) => layer.getBoundingClientRect().width),
  );
  return shown.map((chart, i) => {
    const before = shown.slice(0, i).filter(({ name }) => name === chart.name).length;
    return before ? { ...chart, name: `${chart.name} ${before + 1}` } : chart;
  });
}

/**
 * The chart with a name as a picture. The page may replace a chart at every step, so we look for it at the click.
 * @param {ShadowRoot[]} roots
 * @param {string} name
 */
export function pictureOf(roots, name) {
  const chart = chartsOnPage(roots).find((chart) => chart.name === name);
  if (!chart) throw new Error("the chart is no longer on the page. Open it again.");
  return standalone(chart);
}

// The properties that a picture gets from style sheets: inherited ones, and others with their initial values.
const HANDED_DOWN = `
  fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray
  stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit font-family font-size
  font-weight font-style font-variant-numeric letter-spacing text-anchor dominant-baseline
  white-space direction visibility paint-order shape-rendering clip-rule
`
  .trim()
  .split(/\s+/);
/** @type {Record<string, string>} */
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

/**
 * One SVG that shows the layers outside the page: with their styles, the page's background and a margin.
 * @param {ShownChart} chart
 */
function standalone({ layers, name, heading = "", notes = [] }) {
  const { width, height } = layers[0].getBoundingClientRect();
  const room = Math.max(width, heading || notes.length ? NARROWEST_NOTES : 0);
  const above = textLines(heading ? [heading] : [], { ...HEADING, room });
  const below = textLines(notes, { ...NOTE, room });
  const between = (/** @type {{ height: number }} */ text) => (text.height ? PICTURE_MARGIN : 0);
  const top = PICTURE_MARGIN + above.height + between(above);
  const size = {
    width: Math.ceil(Math.max(width, above.width, below.width)) + 2 * PICTURE_MARGIN,
    height: Math.ceil(top + height + between(below) + below.height) + PICTURE_MARGIN,
  };
  const picture = createSvg("svg", { ...size, viewBox: `0 0 ${size.width} ${size.height}` });
  picture.append(createSvg("title", {}, name), createSvg("rect", { ...size, fill: groundOf(layers[0]) }));
  for (const layer of layers) {
    const style = getComputedStyle(layer);
    const group = createSvg("g", { transform: `translate(${PICTURE_MARGIN} ${top})` });
    group.setAttribute("style", HANDED_DOWN.map((property) => declaration(property, style)).join(""));
    for (const child of layer.children) copyInto(group, child, style);
    picture.append(group);
  }
  const fill = forAnyViewer(getComputedStyle(layers[0]).color);
  picture.append(...above.at(PICTURE_MARGIN, fill), ...below.at(top + height + between(below), fill));
  return picture;
}

/**
 * Texts broken into lines that fit the room, unless a word alone is wider.
 * @param {string[]} texts
 * @param {{ size: number, weight: number, line: number, room: number }} style
 */
function textLines(texts, { size, weight, line, room }) {
  const font = `${weight} ${size}px ${ANY_FONT}`;
  const pen = document.createElement("canvas").getContext("2d");
  if (pen) pen.font = font;
  const widthOf = (/** @type {string} */ text) => WIDER_FONT * (pen?.measureText(text).width ?? 0);
  const lines = texts.flatMap((text) => brokenInto(text, (line) => widthOf(line) <= room));
  return {
    width: Math.max(0, ...lines.map(widthOf)),
    height: lines.length * line,
    /**
     * @param {number} top
     * @param {string} fill
     */
    at: (top, fill) =>
      lines.map((text, i) => {
        const style = `font:${font};fill:${fill};`;
        return createSvg("text", { x: PICTURE_MARGIN, y: top + i * line + size, style }, text);
      }),
  };
}

/**
 * The lines of a text, broken at spaces.
 * @param {string} text
 * @param {(line: string) => boolean} fits
 */
export function brokenInto(text, fits) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/**
 * @param {Element} parent
 * @param {Element} original
 * @param {CSSStyleDeclaration} parentStyle
 */
function copyInto(parent, original, parentStyle) {
  const style = getComputedStyle(original);
  if (original.matches(NOT_IN_PICTURE) || style.display === "none") return;
  const copy = /** @type {Element} */ (original.cloneNode(false));
  copy.removeAttribute("class");
  for (const { name } of [...copy.attributes]) if (name.startsWith("data-")) copy.removeAttribute(name);
  const different = HANDED_DOWN.filter(
    (property) => style.getPropertyValue(property) !== parentStyle.getPropertyValue(property),
  );
  const set = Object.keys(UNLESS_SET).filter(
    (property) => style.getPropertyValue(property) !== UNLESS_SET[property],
  );
  for (const property of [...HANDED_DOWN, ...Object.keys(UNLESS_SET)]) copy.removeAttribute(property);
  copy.setAttribute("style", [...different, ...set].map((property) => declaration(property, style)).join(""));
  if (!copy.getAttribute("style")) copy.removeAttribute("style");
  for (const child of original.childNodes) {
    if (child instanceof Element) copyInto(copy, child, style);
    else copy.append(child.cloneNode());
  }
  parent.append(copy);
}

/**
 * @param {string} property
 * @param {CSSStyleDeclaration} style
 */
function declaration(property, style) {
  const value = style.getPropertyValue(property);
  return value ? `${property}:${forAnyViewer(value)};` : "";
}

/**
 * Write mixed colours so that other programs can read them, and references to this file instead of the page.
 * @param {string} value
 */
export function forAnyViewer(value) {
  return value
    .replace(
      /color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.e-]+))?\)/g,
      (_, r, g, b, alpha = "1") => {
        const [red, green, blue] = [r, g, b].map((share) => Math.round(Number(share) * 255));
        return `rgba(${red}, ${green}, ${blue}, ${alpha})`;
      },
    )
    .replace(/url\(["']?[^"')#]*(#[^"')]+)["']?\)/g, "url($1)");
}

/**
 * The first visible colour behind an element.
 * @param {Element} element
 */
function groundOf(element) {
  /** @type {Element | null | undefined} */
  let behind = element;
  while (behind) {
    const { backgroundColor } = getComputedStyle(behind);
    if (!/^rgba\(.*, 0\)$|^transparent$/.test(backgroundColor)) return forAnyViewer(backgroundColor);
    const root = behind.getRootNode();
    behind = behind.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  }
  return "#fff";
}

/** @param {SVGSVGElement} picture */
export const svgFile = (picture) =>
  new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" });

/** @param {SVGSVGElement} picture */
export async function pngFile(picture) {
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
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  /** @type {Blob | null} */
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("the picture is too large for PNG. Save it as SVG.");
  return blob;
}

/**
 * @param {SVGSVGElement} picture
 * @param {string} name
 */
export function chartFile(picture, name) {
  const { page, main } = filePage(name, "body { margin: 16px; } svg { max-width: 100%; height: auto; }");
  page.body.style.background = find(picture, "rect", SVGRectElement).getAttribute("fill") ?? "";
  main.append(page.adoptNode(picture));
  return new Blob([pageSource(page)], { type: "text/html" });
}

/**
 * The name of a chart, for the name of its file.
 * @param {string} name
 */
export function plainName(name) {
  const plain = name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
  return plain || "chart";
}

/**
 * The ways to save a chart.
 * @type {Record<string, (picture: SVGSVGElement, name: string) => Blob | Promise<Blob>>}
 */
const CHART_FORMATS = { SVG: svgFile, PNG: pngFile, HTML: chartFile };

/**
 * Download the chart with a name. Returns what to say of it.
 * @param {ShadowRoot} root
 * @param {string} name
 * @param {string} format
 */
export const saveChart = (root, name, format) =>
  saveFile(async () => [
    `bpeviz-${plainName(name)}.${format.toLowerCase()}`,
    await CHART_FORMATS[format](pictureOf([root], name), name),
  ]);

/**
 * Make a file and download it. Returns what to say of it.
 * @param {MakeFile} make
 */
export async function saveFile(make) {
  try {
    const [name, blob] = await make();
    download(name, blob);
    return `Saved as ${name}`;
  } catch (error) {
    return `Couldn't save the file: ${error instanceof Error ? error.message : error}`;
  }
}

/**
 * @param {string} name
 * @param {Blob} blob
 */
function download(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), URL_KEPT);
}
