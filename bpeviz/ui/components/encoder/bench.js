// The bench: the tokens of one pre-token, large, with the rank of each pair between them.

const BENCH_TOKENS = 40; // more than that are left out, far from the merge

class Bench {
  constructor(root) {
    this.tokens = root.querySelector(".bench .tokens");
    this.say = root.querySelector(".bench .say");
    this.which = root.querySelector(".bench .which");
  }

  // `now` are the tokens of the pre-token, `next` the step to come and `last` the one just made, if any.
  show({ kind, now, last, next, known, where }) {
    this.which.replaceChildren(where, create("b", "", kind.text));
    this.say.replaceChildren(...sentence({ kind, now, next, known }));
    const chosen = next ? now.findIndex(({ start }) => start === next.start) : -1;
    const made = last ? now.findIndex(({ start }) => start === last.start) : -1;
    const { from, to } = windowAround(now.length, Math.max(0, chosen >= 0 ? chosen : made), BENCH_TOKENS);
    const shown = document.createDocumentFragment();
    if (kind.skipped) shown.append(create("span", "elsewhere", `${kind.skipped} dropped`));
    if (from > 0) shown.append(create("span", "elsewhere", `… ${from.toLocaleString("en")} before`));
    for (let i = from; i < to; i++) {
      const both = cellWithId(known.get(now[i].id), `id ${now[i].id}`);
      const cell = both.firstChild;
      cell.classList.toggle("new", i === made);
      cell.classList.toggle("left", i === chosen);
      cell.classList.toggle("right", chosen >= 0 && i === chosen + 1);
      shown.append(both);
      if (i + 1 < to) shown.append(joint(now[i].rank, i === chosen));
    }
    if (to < now.length) shown.append(create("span", "elsewhere", `${(now.length - to).toLocaleString("en")} after …`));
    this.tokens.dir = directionOf(now.map(({ id }) => known.get(id)));
    this.tokens.replaceChildren(shown);
    const about = this.tokens.querySelector(".tok.right, .tok.new");
    if (about) showWithin(this.tokens, about);
  }
}

// What stands between two tokens.
function joint(rank, chosen) {
  const between = create("span", chosen ? "joint chosen" : rank === NO_MERGE ? "joint none" : "joint");
  if (rank === NO_MERGE) {
    between.title = "No merge joins these two";
    between.append("—");
  } else {
    between.append(create("small", "", "rank "), create("b", "", rank.toLocaleString("en")));
  }
  return between;
}

// What happens next, and why; the words of the tokens are set apart.
function sentence({ kind, now, next, known }) {
  const name = (id) => create("b", "", known.get(id).label);
  const number = (n) => n.toLocaleString("en");
  if (kind.special) return ["A special token: taken whole, never cut, never merged."];
  if (now.length === 0) return ["This tokenizer drops it: there is no token."];
  if (now.length === 1) {
    const what = kind.steps.length ? "One token is left: " : "A single base symbol, with nothing to merge: ";
    return [what, name(now[0].id), `, id ${now[0].id}.`];
  }
  if (!next) return [`No merge joins any two neighbours: it ends as ${number(now.length)} tokens.`];
  const { rank, id } = next;
  const ranks = now.slice(0, -1).map((token) => token.rank);
  const mergeable = ranks.filter((other) => other !== NO_MERGE).length;
  const alike = ranks.filter((other) => other === rank).length;
  const chosen = now.findIndex(({ start }) => start === next.start);
  const why =
    mergeable === 1
      ? `Only one pair has a merge, of rank ${number(rank)}: `
      : `Of ${number(mergeable)} pairs that have a merge, rank ${number(rank)} is the lowest${alike > 1 ? `, and the leftmost of ${number(alike)} goes first` : ""}: `;
  return [why, name(now[chosen].id), " + ", name(now[chosen + 1].id), " become ", name(id), "."];
}

// At most so many of a number of things, about one of them.
function windowAround(count, about, most) {
  const from = Math.max(0, Math.min(about - Math.floor(most / 2), count - most));
  return { from, to: Math.min(count, from + most) };
}
