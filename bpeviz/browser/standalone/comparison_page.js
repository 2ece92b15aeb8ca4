// @ts-check
// A page with two tokenizers on one text.

import { Comparer } from "../comparer/compared_text.js";
import { contentOfPage, makePart, packOf, showLive } from "./page_parts.js";

const content = contentOfPage();
const comparer = new Comparer(makePart(content, "comparer"));
showLive();
comparer.load(packOf(content, "comparer"));
