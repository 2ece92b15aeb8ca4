// Bytes, as arrays and as strings of one character a byte, which maps can hold as keys.

function sameBytes(a, b) {
  if (!a || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function binary(bytes) {
  let made = "";
  for (const byte of bytes) made += String.fromCharCode(byte);
  return made;
}
