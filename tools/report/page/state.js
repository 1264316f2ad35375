// state.js - what the reader looks at, kept in the address to survive a reload.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// at=SECTION, row=TABLE.ROW (its panel is open), table=TABLE, chart=CHART, q=SEARCH, and for each
// part of the page by its id: sort.ID=KEY or -KEY, filter.ID=TEXT, time.ID=BEGIN-END,
// range.ID=BEGIN-END, flame.ID=VIEW.NODE.
const state = {
  values: new Map(),
  applying: false
};

function stateValue(name) { return state.values.get(name) ?? null; }

function stateAddress() {
  const parts = [];
  for (const [name, value] of state.values)
    parts.push(`${name}=${encodeURIComponent(value)}`);
  return `#${parts.join("&")}`;
}

function readAddress() {
  const values = new Map();
  const text = location.hash.slice(1);
  if (text && !text.includes("=")) {
    // A plain anchor names a section.
    values.set("at", text);
    return values;
  }
  for (const part of text.split("&")) {
    const cut = part.indexOf("=");
    if (cut < 1)
      continue;
    try {
      values.set(part.slice(0, cut), decodeURIComponent(part.slice(cut + 1)).slice(0, 1000));
    } catch (error) {
      // Not an encoding of text: as if it were not there.
    }
  }
  return values;
}

const writeAddress = later(150, () => {
  try {
    history.replaceState(null, "", stateAddress());
  } catch (error) {
    // Some browsers allow only so many changes a minute.
  }
});

// Changes within a view replace the address; going elsewhere makes an entry, so that Back goes
// back.
function setState(name, value) {
  if (value === null || value === undefined || value === "")
    state.values.delete(name);
  else
    state.values.set(name, String(value));
  if (!state.applying)
    writeAddress();
}

function visit(values) {
  for (const name of ["row", "table", "chart"])
    state.values.delete(name);
  for (const [name, value] of Object.entries(values))
    state.values.set(name, String(value));
  if (state.applying)
    return;
  try {
    history.pushState(null, "", stateAddress());
  } catch (error) { writeAddress(); }
}

function setRow(table, row) { setState("row", row === null ? null : `${table}.${row}`); }

function readRow() {
  const found = /^([A-Za-z0-9_-]+)\.(\d+)$/.exec(stateValue("row") || "");
  return found ? {table: found[1], row: Number(found[2])} : null;
}

function readSpan(name) {
  const found = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(stateValue(name) || "");
  if (!found || Number(found[1]) >= Number(found[2]))
    return null;
  return {begin: Number(found[1]), end: Number(found[2])};
}
