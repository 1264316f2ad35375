// unpack.js - the packed parts of a section: unpacked when it is first shown.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {packedArrays} from "./packed.js";
import {texts} from "./texts.js";

// The packed parts of a section's items that are not unpacked yet, with the objects that take their
// arrays.
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

export function isPacked(section) { return packedParts(section).length > 0; }

// A damaged part does not affect the others: the code that shows it reports why.
async function unpackPart({holder, take}) {
  try {
    const [arrays] = await Promise.all([packedArrays(holder.packed), texts.load()]);
    take(arrays);
  } catch (error) { holder.failure = error; }
  holder.unpacked = true;
}

const unpacking = new WeakMap();  // by section

export function unpack(section) {
  if (!unpacking.has(section))
    unpacking.set(section, Promise.all(packedParts(section).map(unpackPart)));
  return unpacking.get(section);
}

export function isDamaged(holder) { return Boolean(holder.failure); }

// Throws if the holder's arrays could not be unpacked.
export function checkUnpacked(holder) {
  if (holder.failure)
    throw holder.failure;
}
