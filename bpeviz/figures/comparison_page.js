// @ts-check
// A page with two tokenizers on one text.

import { Comparer } from "../ui/components/comparer/compared_text.js";
import { figureOfPage, makePart, packOf, showLive } from "./page_parts.js";

const figure = figureOfPage();
const comparer = new Comparer(makePart(figure, "comparer"));
showLive();
comparer.load(packOf(figure, "comparer"));
