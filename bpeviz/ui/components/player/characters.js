// Characters and bytes as a person can see them: what shows nothing gets a glyph or a number.

const MOST_BYTES_SHOWN = 120;

const GLYPHS = { " ": "·", "\t": "⇥", "\n": "⏎", "\r": "␍", "\u00a0": "⍽", "\u3000": "□" };

const UNSEEN_NAMES = { " ": "␣", "\t": "⇥", "\n": "⏎", "\r": "␍" }; // as Python's labels have them

// Characters that would show nothing, or change how their neighbours show.
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;

// Joiners and variation selectors show in what they join, and not at all by themselves.
const ONLY_JOINERS = /^[\u200c\u200d\ufe00-\ufe0f]+$/;

// Characters that stand on the one before them, and characters that would become one picture with it.
const STARTS_WITH_MARK = /^\p{M}/u;
const JOINS_BEFORE = /^[\u200c\u200d\p{Emoji_Modifier}\p{Regional_Indicator}]/u;

// The first letter decides which way a line is written, as HTML's dir=auto does; hex cells must not.
const FIRST_LETTER = /\p{L}/u;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const isContinuation = (byte) => (byte & 0xc0) === 0x80;

const hexByte = (byte) => byte.toString(16).toUpperCase().padStart(2, "0");

// Characters as they show, unless nothing would: then by number.
function nameOfUnseen(text) {
  const name = (character, i) => {
    if (character in UNSEEN_NAMES) return UNSEEN_NAMES[character];
    if (UNSEEN.test(character) || ONLY_JOINERS.test(character) || /\s/.test(character)) {
      return `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    }
    return i === 0 && STARTS_WITH_MARK.test(character) ? `◌${character}` : character;
  };
  return Array.from(text, name).join("");
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

// A token as one line: its characters, or its bytes in hex where it begins or ends within one.
function shownToken(text, start, end) {
  const bytes = text.subarray(start, Math.min(end, start + MOST_BYTES_SHOWN));
  const more = end - start > MOST_BYTES_SHOWN ? "…" : "";
  const whole = !isContinuation(text[start]) && !isContinuation(text[end] ?? 0);
  if (!whole) return Array.from(bytes, hexByte).join(" ") + more;
  return nameOfUnseen(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true })) + more;
}

function appendVisible(span, text) {
  let plain = "";
  for (const character of text) {
    const glyph = GLYPHS[character];
    if (!glyph) {
      plain += character;
      continue;
    }
    if (plain) span.append(plain);
    plain = "";
    const space = document.createElement("i");
    space.className = character === "\n" || character === "\r" ? "ws end" : "ws";
    space.dataset.glyph = glyph;
    if (character !== "\n" && character !== "\r") space.textContent = character;
    span.append(space);
  }
  if (plain) span.append(plain);
}
