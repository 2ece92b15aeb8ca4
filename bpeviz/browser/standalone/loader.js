// @ts-check
// Unpack the data and the program of this page, and start the program. See page.py.

import { tooOld } from "../shared/too_old.js";

/** @param {string} id of the data */
const unpack = async (id) => {
  const packed = atob(document.getElementById(id)?.textContent ?? "");
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
};
const start = async () => {
  const settings = JSON.parse(document.getElementById("settings")?.textContent ?? "");
  const [unpacked, packs] = await Promise.all([unpack("program"), unpack("packs")]);
  const program = JSON.parse(new TextDecoder().decode(unpacked));
  /** @type {Document & { bpevizContent?: unknown }} */
  const page = document;
  page.bpevizContent = { settings, parts: program.parts, worker: program.worker, packs };
  const script = document.createElement("script");
  script.type = "module";
  script.textContent = program.script;
  document.body.append(script);
};

const problem = tooOld();
if (problem) document.getElementById("readable")?.prepend(problem);
else start();
