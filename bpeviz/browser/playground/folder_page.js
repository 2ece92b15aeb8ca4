// @ts-check
// The playground in a folder of a web server. The larger tokenizers are beside the page, and come when they are chosen.

import { readPack } from "../shared/pack.js";
import { showLive } from "../standalone/page_parts.js";
import { Playground } from "./playground.js";

/** @import { RankedMerges } from "../trainer/ranked_merges.js" */

/**
 * The merges of a tokenizer. Throws an Error with a sentence if the page can't read its file.
 * @param {string} name
 * @returns {Promise<RankedMerges>}
 */
async function fetchMerges(name) {
  if (location.protocol === "file:")
    throw new Error(`${name} needs a web server: a page from the disk can't read the files beside it.`);
  if (self.origin === "null")
    throw new Error(`${name} needs this page outside of a frame. Open it by itself.`);
  const answer = await fetch(`${name}.gz`).catch(() => null);
  if (!answer?.ok) {
    const why = answer ? `The server answered ${answer.status}` : "The server didn't answer";
    throw new Error(`${why} for ${name}.gz. Put the whole folder on the server, and try again.`);
  }
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const zipped = bytes[0] === 0x1f && bytes[1] === 0x8b; // some servers have it unpacked on the way
  return readPack(zipped ? await unzipped(bytes) : bytes);
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
async function unzipped(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

showLive();
new Playground(fetchMerges);
