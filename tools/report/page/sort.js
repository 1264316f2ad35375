// sort.js - the order of a table's rows; in trees, of siblings within their parent.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {cellValue, haystack} from "./text.js";

// Numbers before texts before nothing, in both directions: unknown values are never on top.
export function sortKeys(model, column) {
  const {count} = model;
  const numbers = new Float64Array(count).fill(NaN);
  let texts = null;
  // Packed texts are numbered in sort order; next to others they compare as texts.
  const byNumber = column.texts && !hasOwnTexts(model, column);
  for (let row = 0; row < count; ++row) {
    const stored = byNumber ? model.stored(row, column) : null;
    const value = !byNumber ? model.value(row, column) : typeof stored === "number" ? stored : null;
    if (typeof value === "number")
      numbers[row] = value;
    else if (typeof value === "boolean")
      numbers[row] = value ? 1 : 0;
    else if (value !== null && value !== undefined) {
      texts = texts || new Array(count).fill(null);
      texts[row] = haystack(value);
    }
  }
  return {numbers, texts};
}

function hasOwnTexts(model, column) {
  for (let row = 0; row < model.count; ++row) {
    const stored = model.stored(row, column);
    if (typeof stored !== "number" && cellValue(stored, column.unit) !== null)
      return true;
  }
  return false;
}

export function compareBy(keys, descending) {
  const {numbers, texts} = keys;
  const sign = descending ? -1 : 1;
  if (!texts) {
    return (left, right) => {
      const a = numbers[left], b = numbers[right];
      if (a < b)
        return -sign;
      if (a > b)
        return sign;
      if (a === b)
        return left - right;
      // At least one is not a number.
      return Number.isNaN(a) - Number.isNaN(b) || left - right;
    };
  }
  const rank = (row) => (!Number.isNaN(numbers[row]) ? 0 : texts[row] !== null ? 1 : 2);
  return (left, right) => {
    const ranks = rank(left) - rank(right);
    if (ranks)
      return ranks;
    if (rank(left) === 0 && numbers[left] !== numbers[right])
      return numbers[left] < numbers[right] ? -sign : sign;
    if (rank(left) === 1 && texts[left] !== texts[right])
      return texts[left] < texts[right] ? -sign : sign;
    return left - right;
  };
}

// Row numbers in display order.
export function sortedRows(count, compare, children) {
  if (!children) {
    const order = new Int32Array(count);
    for (let row = 0; row < count; ++row)
      order[row] = row;
    return compare ? order.sort(compare) : order;
  }
  const order = new Int32Array(count);
  let filled = 0;
  const waiting = [];
  const put = (siblings) => {
    const sorted = compare ? siblings.slice().sort(compare) : siblings;
    for (let index = sorted.length - 1; index >= 0; --index)
      waiting.push(sorted[index]);
  };
  put(children.roots);
  while (waiting.length) {
    const row = waiting.pop();
    order[filled++] = row;
    const below = children.of.get(row);
    if (below)
      put(below);
  }
  return order;
}

// The tree for a preorder list of depths.
export function treeOf(depth) {
  const parent = new Int32Array(depth.length).fill(-1);
  const of = new Map();
  const roots = [];
  const open = [];
  for (let row = 0; row < depth.length; ++row) {
    while (open.length && depth[open[open.length - 1]] >= depth[row])
      open.pop();
    if (open.length) {
      const above = open[open.length - 1];
      parent[row] = above;
      if (!of.has(above))
        of.set(above, []);
      of.get(above).push(row);
    } else {
      roots.push(row);
    }
    open.push(row);
  }
  return {parent, of, roots};
}
