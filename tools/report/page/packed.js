// packed.js - the bytes that are stored compressed next to the document.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {byId} from "./dom.js";
import {pause} from "./timing.js";

const Base64Piece = 1 << 20;  // characters, a multiple of 4

// The bytes of an element's base64, as pieces.
export async function decodeBase64(element) {
  const text = element ? element.textContent : "";
  const pieces = [];
  for (let at = 0; at < text.length; at += Base64Piece) {
    const piece = text.slice(at, at + Base64Piece);
    if (Uint8Array.fromBase64) {
      pieces.push(Uint8Array.fromBase64(piece));
    } else {
      const binary = atob(piece);
      const bytes = new Uint8Array(binary.length);
      for (let index = 0; index < binary.length; ++index)
        bytes[index] = binary.charCodeAt(index);
      pieces.push(bytes);
    }
    await pause();
  }
  return pieces;
}

export function inflating(pieces) {
  return new Blob(pieces).stream().pipeThrough(new DecompressionStream("gzip"));
}

// Empty if there is no such element: then the reader of the data reports what is missing.
export async function packedBytes(id) {
  const pieces = await decodeBase64(byId(id));
  return pieces.length ? new Response(inflating(pieces)).arrayBuffer() : new ArrayBuffer(0);
}

export async function packedArrays(id) {
  const arrays = JSON.parse(new TextDecoder().decode(await packedBytes(id)));
  if (!Array.isArray(arrays) || !arrays.every(Array.isArray))
    throw new Error("the packed data is damaged");
  return arrays;
}
