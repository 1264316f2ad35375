// table.js - a table without its appearance: which rows are shown, in which order, and their sums.
// Its cells are given by rows or, in a packed table with many rows, by columns (`arrays`).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {compareBy, sortedRows, sortKeys, treeOf} from "./sort.js";
import {SplitNames, Splits} from "./splits.js";
import {cellText, cellValue, haystack, makeMatcher, NumericUnits} from "./text.js";
import {texts} from "./texts.js";
import {checkUnpacked} from "./unpack.js";

class TableModel {
  constructor(spec) {
    checkUnpacked(spec);
    if (spec.packed && !spec.arrays)
      throw new Error("its rows are not unpacked");
    this.spec = spec;
    this.columns = (spec.columns || []).map((column, index) => ({
      index,
      key: String(column.key ?? index),
      title: String(column.title ?? column.key ?? ""),
      unit: column.unit || "text",
      right: column.align ? column.align === "right" : NumericUnits.has(column.unit),
      help: column.help ? String(column.help) : "",
      sum: column.total === "sum",
      bar: Boolean(column.bar),
      hidden: Boolean(column.hidden),
      texts: Boolean(column.texts),
      extent: null,
    }));
    this.rows = spec.rows || [];
    this.arrays = spec.arrays || null;
    this.count = this.arrays ? (this.arrays[0] || []).length : this.rows.length;
    if (this.arrays &&
        (this.arrays.length !== this.columns.length ||
            this.arrays.some((array) => array.length !== this.count)))
      throw new Error("the rows are damaged");
    this.depth = Array.isArray(spec.depth) && spec.depth.length === this.count ? spec.depth : null;
    this.tree = this.depth ? treeOf(this.depth) : null;
    this.notes = spec.notes || {};
    this.details = spec.details || {};
    this.emphasis = spec.emphasis || {};
    this.summary = spec.summary || [];
    this.top = Number.isInteger(spec.top) && spec.top > 0 ? spec.top : Infinity;
    this.folded = new Set();
    this.sort = null;  // { column, descending }
    this.query = "";
    this.common = "";  // the query of the global search
    this.showAll = false;
    this.problem = null;
    this.order = null;
    this.searched =
        this.columns.filter((column) => !NumericUnits.has(column.unit) || column.unit === "flag");
    this.haystacks = [];
    this.matched = null;  // Uint8Array: 1 for rows that pass the filters, or null for all
    this.matches = this.count;
    this.update();
  }

  // As in the document: for a column of texts, the number of a text, else a cell.
  stored(row, column) {
    return this.arrays ? this.arrays[column.index][row] : this.rows[row][column.index];
  }

  // For a column of names, where each begins to differ; null for others.
  splits(column) {
    if (column.unit === "name" && !column.splits) {
      const rows = Array.from({length: Math.min(this.count, SplitNames)}, (_, row) => row);
      column.splits = new Splits(rows.map((row) => this.text(row, column)));
    }
    return column.splits || null;
  }

  cell(row, column) {
    const stored = this.stored(row, column);
    return column.texts && typeof stored === "number" ? texts.at(stored) : stored;
  }

  text(row, column) { return cellText(this.cell(row, column), column.unit); }
  value(row, column) { return cellValue(this.cell(row, column), column.unit); }

  nameOf(row) {
    const column = this.columns.find((entry) => entry.unit === "name") || this.columns[0];
    return column ? this.text(row, column) : "";
  }

  // The range for the bars of a column; it always includes zero.
  extent(column) {
    if (!column.extent) {
      let least = 0, most = 0;
      for (let row = 0; row < this.count; ++row) {
        const value = this.value(row, column);
        if (typeof value === "number") {
          least = Math.min(least, value);
          most = Math.max(most, value);
        }
      }
      column.extent = {least, most};
    }
    return column.extent;
  }

  // The searchable text of a row without what is in `texts`, a line for each cell; null for none.
  haystackOf(row) {
    let text = this.haystacks[row];
    if (text === undefined) {
      const parts = [];
      for (const column of this.searched)
        if (!(column.texts && typeof this.stored(row, column) === "number"))
          parts.push(haystack(this.text(row, column)));
      text = parts.length ? parts.join("\n") : null;
      this.haystacks[row] = text;
    }
    return text;
  }

  // A test of a row with a matcher.
  rowTest(matcher) {
    const named = this.columns.filter((column) => column.texts);
    const hits = named.length ? texts.matching(matcher) : null;
    return (row) => {
      for (const column of named) {
        const stored = this.stored(row, column);
        if (typeof stored === "number" && hits.has(stored))
          return true;
      }
      const text = this.haystackOf(row);
      return text !== null && matcher(text);
    };
  }

  setSort(column, descending) {
    this.sort = column ? {column, descending} : null;
    this.order = null;
    this.update();
  }

  setFilter(query, common) {
    this.query = query;
    this.common = common;
    this.filter();
    this.update();
  }

  filter() {
    const own = makeMatcher(this.query), common = makeMatcher(this.common);
    this.problem = own instanceof Error ? own : null;
    const tests = [own, common]
                      .filter((test) => typeof test === "function")
                      .map((test) => this.rowTest(test));
    if (!tests.length) {
      this.matched = null;
      this.matches = this.count;
      return;
    }
    this.matched = new Uint8Array(this.count);
    this.matches = 0;
    for (let row = 0; row < this.count; ++row) {
      if (tests.every((test) => test(row))) {
        this.matched[row] = 1;
        ++this.matches;
      }
    }
  }

  // The visible lines: rows, and below a row its notes.
  update() {
    if (!this.order)
      this.order = sortedRows(this.count,
          this.sort ? compareBy(sortKeys(this, this.sort.column), this.sort.descending) : null,
          this.tree);
    // The ancestors of a match stay, because they show what it is part of.
    const kept = this.matched && this.tree ? this.withAncestors() : this.matched;
    const limit = this.showAll || this.matched ? Infinity : this.top;
    const lines = [], noteOf = [];
    const lineOfRow = new Map();
    let shown = 0, hiddenBelow = -1;
    for (const row of this.order) {
      if (kept && !kept[row])
        continue;
      if (this.depth && hiddenBelow >= 0) {
        if (this.depth[row] > hiddenBelow)
          continue;
        hiddenBelow = -1;
      }
      if (shown >= limit)
        break;
      ++shown;
      lineOfRow.set(row, lines.length);
      lines.push(row);
      noteOf.push(-1);
      const notes = this.notes[row];
      if (notes)
        for (let note = 0; note < notes.length; ++note) {
          lines.push(row);
          noteOf.push(note);
        }
      // During a search nothing is folded.
      if (this.depth && this.folded.has(row) && !this.matched)
        hiddenBelow = this.depth[row];
    }
    this.lines = lines;
    this.noteOf = noteOf;
    this.lineOfRow = lineOfRow;
    this.shownRows = shown;
  }

  withAncestors() {
    const kept = this.matched.slice();
    for (let row = 0; row < kept.length; ++row)
      for (let above = this.matched[row] ? this.tree.parent[row] : -1; above >= 0 && !kept[above];
          above = this.tree.parent[above])
        kept[above] = 1;
    return kept;
  }

  isFiltered() { return this.matched !== null; }

  // Rows that pass the filters, in the order shown, folded or not.
  filteredRows() {
    const rows = [];
    for (const row of this.order)
      if (!this.matched || this.matched[row])
        rows.push(row);
    return rows;
  }

  // In a tree, a row inside another counted row is already part of it.
  sum(rows, column) {
    const counted = this.tree ? new Set(rows) : null;
    let sum = 0, any = false;
    for (const row of rows) {
      if (counted && this.hasAncestorIn(row, counted))
        continue;
      const value = this.value(row, column);
      if (typeof value === "number") {
        sum += value;
        any = true;
      }
    }
    return any ? sum : null;
  }

  hasAncestorIn(row, rows) {
    for (let above = this.tree.parent[row]; above >= 0; above = this.tree.parent[above])
      if (rows.has(above))
        return true;
    return false;
  }

  hasChildren(row) { return Boolean(this.tree && this.tree.of.has(row)); }

  toggleFold(row, fold) {
    if (!this.hasChildren(row))
      return false;
    const wanted = fold === undefined ? !this.folded.has(row) : fold;
    if (wanted === this.folded.has(row))
      return false;
    if (wanted)
      this.folded.add(row);
    else
      this.folded.delete(row);
    this.update();
    return true;
  }

  foldAll(fold) {
    this.folded = new Set(fold ? this.tree.of.keys() : []);
    this.update();
  }

  // Undoes what hides the row; returns whether it is then visible.
  uncover(row) {
    if (row < 0 || row >= this.count)
      return false;
    for (let above = this.tree ? this.tree.parent[row] : -1; above >= 0;
        above = this.tree.parent[above])
      this.folded.delete(above);
    this.update();
    if (!this.lineOfRow.has(row)) {
      this.showAll = true;
      this.update();
    }
    return this.lineOfRow.has(row);
  }
}

// Models that the global search created to count matches.
const countedModels = new WeakMap();

export function countedModel(spec) {
  if (!countedModels.has(spec))
    countedModels.set(spec, new TableModel(spec));
  return countedModels.get(spec);
}

export function modelOf(spec) { return countedModels.get(spec) || new TableModel(spec); }
