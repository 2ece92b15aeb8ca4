// @ts-check
// Compressed bytes as letters, and back.

import { binary, bytesOf } from "../shared/bytes.js";

/** @typedef {"gzip" | "deflate-raw"} Format */

/**
 * Bytes compressed, in base64.
 * @param {Uint8Array[]} parts
 * @param {Format} format
 */
export async function packed(parts, format) {
  const blob = new Blob(/** @type {BlobPart[]} */ (parts));
  const bytes = new Uint8Array(
    await new Response(blob.stream().pipeThrough(new CompressionStream(format))).arrayBuffer(),
  );
  return btoa(binary(bytes));
}

/**
 * The bytes of base64 letters, decompressed. Throws an Error if they can't be read, or are more than allowed.
 * @param {string} letters
 * @param {Format} format
 * @param {number} most bytes
 */
export async function unpacked(letters, format, most) {
  const reader = new Blob([bytesOf(atob(letters))])
    .stream()
    .pipeThrough(new DecompressionStream(format))
    .getReader();
  /** @type {Uint8Array[]} */
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new Error("it is too long");
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(/** @type {BlobPart[]} */ (parts)).arrayBuffer());
}
