// Tokens as cells, drawn as the player draws them: a tint by their bytes, parts of characters in hexadecimal.

// The tokens that Python lists by id: their bytes, hue and name, and whether they are base symbols.
function readTokens(listed) {
  const tokens = new Map();
  for (const [id, [hex, hue, label, base]] of Object.entries(listed)) {
    const bytes = Uint8Array.from(hex.match(/../g) ?? [], (digits) => parseInt(digits, 16));
    tokens.set(Number(id), { id: Number(id), bytes, hue, label, base });
  }
  return tokens;
}

// The characters that bytes spell; null where they spell none.
function spelled(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function create(name, className = "", text = "") {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

function tokenCell(token) {
  const cell = create("span", token.base ? "tok one" : "tok");
  cell.style.setProperty("--hue", token.hue);
  const text = spelled(token.bytes);
  if (text === null || UNSEEN.test(text) || ONLY_JOINERS.test(text)) {
    cell.classList.add("hex");
    cell.textContent = Array.from(token.bytes, hexByte).join(" ");
  } else {
    appendVisible(cell, text);
    if (STARTS_WITH_MARK.test(text)) cell.classList.add("mark", RIGHT_TO_LEFT.test(text) ? "rtl" : "ltr");
    else if (JOINS_BEFORE.test(text)) cell.classList.add("apart");
  }
  return cell;
}

// A token with room for its id below it, where the id is empty until it is final.
function cellWithId(token, id) {
  const both = create("span", "with-id");
  both.append(tokenCell(token), create("small", "id", id));
  return both;
}

// Append a cell for each token; those that share characters stand in a box that names the characters.
function appendCells(parent, tokens, draw) {
  let group = null;
  let bytes = [];
  tokens.forEach((token, i) => {
    const cutAfter = i + 1 < tokens.length && isContinuation(tokens[i + 1].bytes[0]);
    if (!group && (cutAfter || isContinuation(token.bytes[0]))) {
      group = create("span", "char");
      bytes = [];
      parent.append(group);
    }
    (group ?? parent).append(draw(token, i));
    if (!group) return;
    bytes.push(...token.bytes);
    if (cutAfter) return;
    group.dataset.char = nameOfUnseen(new TextDecoder().decode(Uint8Array.from(bytes)));
    group = null;
  });
}

// Text is written as its first letter is.
function directionOf(tokens) {
  const bytes = tokens.flatMap((token) => [...token.bytes]);
  const letter = FIRST_LETTER.exec(new TextDecoder().decode(Uint8Array.from(bytes)));
  return letter && RIGHT_TO_LEFT.test(letter[0]) ? "rtl" : "ltr";
}

// Scroll what scrolls, not the page, as little as shows an element in it.
function showWithin(scroller, element) {
  const view = scroller.getBoundingClientRect();
  const box = element.getBoundingClientRect();
  if (box.top < view.top) scroller.scrollTop += box.top - view.top - 8;
  else if (box.bottom > view.bottom) scroller.scrollTop += Math.min(box.bottom - view.bottom + 8, box.top - view.top);
}
