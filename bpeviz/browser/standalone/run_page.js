// @ts-check
// A page with the player of one run, or of two on the same text, and the most frequent pairs.

import { Player } from "../player/merge_player.js";
import { stage } from "../player/stage.js";
import { hexOf } from "../shared/bytes.js";
import { putBeside } from "./beside_player.js";
import { connect, contentOfPage, makePart, packOf, showLive, spaced } from "./page_parts.js";
import { keepForPaper } from "./paper.js";

/** @import { Token } from "../shared/types" */

const MESSAGES_EVERY = 100; // milliseconds

const content = contentOfPage();
const { panels, speed, player: name } = content.settings;
const place = makePart(content, "player");
const player = new Player(place, true);
for (const panel of ["text", "curve", "token", "curves"]) {
  player.shell.classList.toggle(`no-${panel}`, !panels.includes(panel));
}
player.transport.offer(speed);
if (panels.includes("pairs") && "pairs" in content.settings.packs) {
  stage.pairPack = packOf(content, "pairs");
  putBeside(content, player).forget(1); // content.py numbers the runs
}
showLive();
player.bytes = packOf(content, "player");
player.load(player.bytes);
if (!panels.includes("token")) player.view.onPick = () => {};
keepForPaper(player);

let known = player.step; // what the page around this one knows; it must not hear late of a step that it asked for
/** @param {number} step */
const go = (step) => {
  known = step;
  player.jump(step);
};
const send = connect(name, { step: () => player.step, go });
player.onStep = spaced(MESSAGES_EVERY, () => {
  if (player.step === known) return;
  known = player.step;
  send({ bpeviz: "step", step: known });
});

/** @param {Token} token */
const pick = (token) => send({ bpeviz: "picked", token: describe(token) });
const { tokenCard } = player;
const { onOpen } = tokenCard;
tokenCard.onOpen = () => {
  onOpen();
  if (tokenCard.picked) pick(tokenCard.picked.token);
};
// The last one stays picked: who reads it in another cell has left it. An open card stays picked too.
const { onToken } = player.details;
player.details.onToken = (token) => {
  onToken(token);
  if (token && !tokenCard.picked) pick(token);
};

/** @param {Token} token */
function describe(token) {
  const { run, details } = player;
  const { start, end, latest } = token;
  const bytes = run.text.slice(start, end);
  const id = details.known?.tokenIds.of(token) ?? null;
  const text = new TextDecoder().decode(bytes);
  return {
    start,
    end,
    id,
    text,
    bytes: hexOf(bytes),
    rank: latest < 0 ? null : latest,
  };
}
