// @ts-check
// The playground as one file, which asks for no other.

import { showLive } from "../standalone/page_parts.js";
import { Playground } from "./playground.js";

showLive();
new Playground();
