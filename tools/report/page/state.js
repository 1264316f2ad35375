// state.js - what the reader sees, kept in the address to survive a reload.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {later} from "./timing.js";

// at=SECTION, row=TABLE.ROW (its panel is open), table=TABLE, chart=CHART, q=SEARCH, and for each
// part of the page by its id: sort.ID=KEY or -KEY, filter.ID=TEXT, time.ID=BEGIN-END,
// range.ID=BEGIN-END, flame.ID=VIEW.NODE.
let values = new Map();
let applying = false;

export function stateValue(name) { return values.get(name) ?? null; }

export function stateAddress() {
  const parts = [];
  for (const [name, value] of values)
    parts.push(`${name}=${encodeURIComponent(value)}`);
  return `#${parts.join("&")}`;
}

export function readAddress() {
  values = new Map();
  const text = location.hash.slice(1);
  if (text && !text.includes("=")) {
    // A plain anchor names a section.
    values.set("at", text);
    return;
  }
  for (const part of text.split("&")) {
    const cut = part.indexOf("=");
    if (cut < 1)
      continue;
    try {
      values.set(part.slice(0, cut), decodeURIComponent(part.slice(cut + 1)).slice(0, 1000));
    } catch (error) {
      // Not valid encoded text: ignored.
    }
  }
}

// What the action sets comes from the address, and is not written back to it.
export function withoutWriting(action) {
  applying = true;
  try {
    return action();
  } finally { applying = false; }
}

const writeAddress = later(150, () => {
  try {
    history.replaceState(null, "", stateAddress());
  } catch (error) {
    // Some browsers limit the number of changes a minute.
  }
});

// Changes within a view replace the address; going elsewhere adds a history entry, so that Back
// returns.
export function setState(name, value) {
  if (value === null || value === undefined || value === "")
    values.delete(name);
  else
    values.set(name, String(value));
  if (!applying)
    writeAddress();
}

export function visit(place) {
  for (const name of ["row", "table", "chart"])
    values.delete(name);
  for (const [name, value] of Object.entries(place))
    values.set(name, String(value));
  if (applying)
    return;
  try {
    history.pushState(null, "", stateAddress());
  } catch (error) { writeAddress(); }
}

// The section that is shown, which the address need not name.
export function noteSection(id) { values.set("at", id); }

export function setRow(table, row) { setState("row", row === null ? null : `${table}.${row}`); }

export function readRow() {
  const found = /^([A-Za-z0-9_-]+)\.(\d+)$/.exec(stateValue("row") || "");
  return found ? {table: found[1], row: Number(found[2])} : null;
}

export function readSpan(name) {
  const found = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(stateValue(name) || "");
  if (!found || Number(found[1]) >= Number(found[2]))
    return null;
  return {begin: Number(found[1]), end: Number(found[2])};
}
