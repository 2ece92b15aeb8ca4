// @ts-check
// Brings a page that the person asked for to the export menu, and tells Python that it is here. Until then Python sends
// it again: two messages that come together draw only the second.

import { readPack } from "../shared/pack.js";
import { stage } from "./stage.js";

/** @import { ComponentArguments } from "../shared/types" */

/** @param {ComponentArguments<Uint8Array | null>} component */
export default function ({ data, setStateValue }) {
  if (!data?.length) return;
  /** @type {{ asked: number, fault: string, file: Uint8Array<ArrayBuffer> }} */
  const { asked, fault, file } = readPack(data);
  setStateValue("got", asked);
  const { pageRequest: request } = stage;
  if (request?.asked !== asked) return; // it is here already, or no longer wanted
  if (fault) request.fail(fault);
  else request.done(new Blob([file], { type: "text/html" }));
}
