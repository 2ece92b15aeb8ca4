// The bytes that Python sends: a length, a JSON header, then arrays that the header lists.
// See bpeviz/ui/components/pack.py, which writes them.

const ARRAY_TYPES = { u1: Uint8Array, u2: Uint16Array, i4: Int32Array, f8: Float64Array };

// Gap ranks that are not ranks: see bpeviz/core/gap_ranks.py.
const NEVER = 2 ** 31 - 3;
const SKIPPED = 2 ** 31 - 2;
const WALL = 2 ** 31 - 1;
const SHORT = [-1, NEVER, SKIPPED, WALL]; // as two bytes hold them: the highest numbers there are
const FIRST_SHORT = 0x10000 - SHORT.length;

function readPack(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerLength = view.getUint32(0, true);
  const pack = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + headerLength)));
  let offset = 4 + headerLength;
  for (const { name, type, length } of pack.arrays) {
    const ArrayType = ARRAY_TYPES[type];
    const size = length * ArrayType.BYTES_PER_ELEMENT;
    // The bytes arrive unaligned; slice() copies them to where typed arrays may stand.
    const array = new ArrayType(bytes.slice(offset, offset + size).buffer);
    pack[name] = type === "u2" ? longRanks(array) : array;
    offset += size;
  }
  pack.beside = pack.beside?.length ? readPack(pack.beside) : null;
  return pack;
}

// Gap ranks that were sent in two bytes each. A plain loop: Int32Array.from takes half a second for a million.
function longRanks(sent) {
  const ranks = new Int32Array(sent.length);
  for (let i = 0; i < sent.length; i++) ranks[i] = sent[i] < FIRST_SHORT ? sent[i] : SHORT[sent[i] - FIRST_SHORT];
  return ranks;
}
