// packed.js - what stands compressed beside the document: unpacked when its section is first shown.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

const Base64Piece = 1 << 20;  // characters, a multiple of 4

// The bytes of an element's base64, as pieces.
async function decodeBase64(element) {
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

function inflating(pieces) {
  return new Blob(pieces).stream().pipeThrough(new DecompressionStream("gzip"));
}

// Empty where there is no such element: what it should hold is then missed by who reads it.
async function packedBytes(id) {
  const pieces = await decodeBase64(byId(id));
  return pieces.length ? new Response(inflating(pieces)).arrayBuffer() : new ArrayBuffer(0);
}

async function packedArrays(id) {
  const arrays = JSON.parse(new TextDecoder().decode(await packedBytes(id)));
  if (!Array.isArray(arrays) || !arrays.every(Array.isArray))
    throw new Error("what is packed is damaged");
  return arrays;
}

// Those of a section's items that are packed and not unpacked yet, with what takes their arrays.
function packedParts(section) {
  const parts = [];
  const add = (holder, take) => {
    if (typeof holder.packed === "string" && !holder.unpacked)
      parts.push({holder, take});
  };
  const visit = (item) => {
    if (!item || typeof item !== "object")
      return;
    if (item.type === "pair")
      (item.items || []).forEach(visit);
    else if (item.type === "table")
      add(item, (arrays) => {
        item.arrays = arrays;
      });
    else if (item.kind === "flame")
      for (const view of (item.data && item.data.views) || [])
        add(view, ([names, parent, name, self, count]) => {
          Object.assign(view, {names, parent, name, self, count});
        });
    else if (item.kind === "timeline" && item.data)
      add(item.data, ([names, kinds]) => {
        Object.assign(item.data, {names, name_kind: kinds});
      });
  };
  section.items.forEach(visit);
  return parts;
}

function isPacked(section) { return packedParts(section).length > 0; }

// One part that is damaged takes no other with it: who shows it says why.
async function unpackPart({holder, take}) {
  try {
    const [arrays] = await Promise.all([packedArrays(holder.packed), texts.load()]);
    take(arrays);
  } catch (error) { holder.failure = error; }
  holder.unpacked = true;
}

function unpack(section) {
  section.unpacking = section.unpacking || Promise.all(packedParts(section).map(unpackPart));
  return section.unpacking;
}

// Throws where the holder's arrays could not be had.
function checkUnpacked(holder) {
  if (holder.failure)
    throw holder.failure;
}
