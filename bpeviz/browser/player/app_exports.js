// @ts-check
// The part of the app's menu Export that the browser makes.

import { find } from "../shared/elements.js";
import { ExportList } from "./exports.js";
import { stage } from "./stage.js";

/** @import { ComponentArguments } from "../shared/types" */
/** @import { Run } from "../shared/types" */

/** @param {ComponentArguments<null>} component */
export default function ({ parentElement }) {
  /** @type {Run | null} */
  let listed = null;
  const list = () => {
    if (!stage.player || stage.run === listed) return;
    listed = stage.run;
    new ExportList(find(parentElement, ".export"), stage.player).show();
  };
  list();
  return stage.subscribe(list); // the player of a session that was just opened may come later
}
