// What stands under the pointer, or has the keyboard's focus, in the tokens of both sides.

class AlignedDetails extends Details {
  // `sides`: the pack of each, with its name; `merges`: a function that gives how many of each there are now.
  open(pack, sides, merges) {
    this.sides = sides.map((side) => ({ ...side, tokenIds: new TokenIds(side) }));
    this.merges = merges;
    this.load(pack);
  }

  lines({ start }) {
    return this.sides.flatMap((side, i) => {
      const token = tokenAround(side.gaps, this.merges()[i], start);
      return [tipTitle(side.name), ...this.about(side, token)];
    });
  }

  about({ text, tokenIds }, token) {
    if (token === null) return [tipLine("in no token")];
    const { start, end, latest } = token;
    const id = tokenIds.of(token);
    const size = `${end - start} ${end - start === 1 ? "byte" : "bytes"}`;
    const origin = latest < 0 ? "base vocabulary" : `merge ${decimals(latest + 1)}`;
    return [tipLine("", shownToken(text, start, end)), tipLine(`${size}, ${id === undefined ? "" : `id ${id}, `}${origin}`)];
  }
}

// The token that holds a byte after so many merges; null where none does.
function tokenAround(gaps, merges, offset) {
  if (gaps[offset] === SKIPPED) return null;
  let start = offset;
  let end = offset;
  let latest = -1;
  while (start > 0 && gaps[start - 1] < merges) latest = Math.max(latest, gaps[--start]);
  while (gaps[end] < merges) latest = Math.max(latest, gaps[end++]);
  return { start, end: end + 1, latest };
}

function tipTitle(name) {
  const made = element("div", name);
  made.className = "tip-title";
  return made;
}
