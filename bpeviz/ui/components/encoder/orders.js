// The pre-tokens that two orders of merging encode differently: the tokens of either, with their ids.

export default function ({ data, parentElement }) {
  const known = readTokens(data.tokens);
  const rows = data.rows.map(({ text, times, by_rank: byRank, left_to_right: leftToRight }) => {
    const row = create("tr");
    const name = create("th");
    name.scope = "row";
    name.append(create("b", "", text));
    if (times > 1) name.append(create("small", "", ` ${times.toLocaleString("en")} times`));
    row.append(name, tokensCell(byRank, known), tokensCell(leftToRight, known));
    return row;
  });
  parentElement.querySelector("tbody").replaceChildren(...rows);
  parentElement.querySelector(".more").textContent = data.more ? `and ${data.more.toLocaleString("en")} more` : "";
}

function tokensCell(ids, known) {
  const cell = create("td");
  const tokens = ids.map((id) => known.get(id));
  cell.dir = directionOf(tokens);
  const chip = create("span", "chip done");
  appendCells(chip, tokens, (token) => cellWithId(token, String(token.id)));
  cell.append(chip);
  return cell;
}
