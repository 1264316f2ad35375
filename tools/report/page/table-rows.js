// table-rows.js - the elements of a table's rows: visible ones, totals, for printing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {fillCell} from "./cell.js";
import {make, makeName} from "./dom.js";
import {shownLabel} from "./splits.js";
import {cellText, plural, shownCount, shownName} from "./text.js";

export const RowHeight = 24;
const Overscan = 12;
// Characters of a name in print: two lines.
const PrintedName = 64;

// Methods of TableView.
const tableRows = {
  // Creates the elements of visible rows, and removes the others.
  renderRows(anew) {
    if (this.printing)
      return;
    const {lines} = this.model;
    const height = this.scroll.clientHeight || 600;
    const first = Math.max(0, Math.floor(this.scroll.scrollTop / RowHeight) - Overscan);
    const last =
        Math.min(lines.length, Math.ceil((this.scroll.scrollTop + height) / RowHeight) + Overscan);
    if (!anew && first === this.first && last === this.last)
      return;
    this.first = first;
    this.last = last;
    if (anew)
      this.cells.clear();
    const elements = [this.spacer(first)];
    const kept = new Map();
    for (let line = first; line < last; ++line) {
      const element = this.cells.get(line) || this.rowElement(line);
      kept.set(line, element);
      elements.push(element);
    }
    elements.push(this.spacer(lines.length - last));
    this.cells = kept;
    this.body.replaceChildren(...elements.filter(Boolean));
  },

  // Paper does not scroll: the first lines, and how many there are.
  renderForPrint(most) {
    const last = Math.min(most, this.model.lines.length);
    const elements = [];
    this.printing = true;
    for (let line = 0; line < last; ++line)
      elements.push(this.rowElement(line));
    if (last < this.model.lines.length)
      elements.push(make("tr", {class: "note-line"},
          make("td", {colspan: this.visible.length},
              `${shownCount(this.model.lines.length - last)} more rows in the page itself`)));
    this.body.replaceChildren(...elements);
    this.cells.clear();
    this.last = -1;
  },

  renderAfterPrint() {
    this.printing = false;
    this.update();
  },

  spacer(lines) {
    if (lines <= 0)
      return null;
    const cell = make("td", {colspan: this.visible.length + (this.hasFiller ? 1 : 0)});
    cell.style.height = `${lines * RowHeight}px`;
    return make("tr", {class: "spacer", "aria-hidden": "true"}, cell);
  },

  rowElement(line) {
    const {model} = this;
    const row = model.lines[line], note = model.noteOf[line];
    if (note >= 0)
      return make("tr", {class: "note-line", "data-row": row, "aria-rowindex": line + 2},
          make("td", {colspan: this.visible.length + (this.hasFiller ? 1 : 0)},
              make("span", {class: "row-note", text: shownName(model.notes[row][note], 600)})));
    const parts = ["row"];
    if (model.emphasis[row] === "strong" || model.emphasis[row] === "faint")
      parts.push(model.emphasis[row]);
    if (model.matched && !model.matched[row])
      parts.push("faint");
    if (this.selected.has(row))
      parts.push("selected");
    if (row === this.active)
      parts.push("active");
    if (row === this.opened)
      parts.push("opened");
    if (row === this.flashed)
      parts.push("flash");
    const element = make("tr", {
      class: parts.join(" "),
      id: `${this.domId}-row-${row}`,
      "data-row": row,
      "aria-rowindex": line + 2,
      "aria-selected": this.selected.has(row) || row === this.opened ? "true" : "false",
      "aria-level": model.depth ? model.depth[row] + 1 : null,
      "aria-expanded":
          model.hasChildren(row) ? String(!model.folded.has(row) || model.isFiltered()) : null,
    });
    this.visible.forEach((column, place) => element.append(this.cellElement(row, column, place)));
    if (this.hasFiller)
      element.append(make("td"));
    return element;
  },

  cellElement(row, column, place) {
    const {model} = this;
    const cell = model.cell(row, column);
    const element = make("td", {class: column.right ? "right" : null});
    if (place === 0 && model.depth) {
      element.classList.add("tree");
      // Deep trees would move the names out of sight.
      element.style.paddingLeft = `${8 + Math.min(model.depth[row], 24) * 14}px`;
      const folded = model.folded.has(row) && !model.isFiltered();
      element.append(model.hasChildren(row) ?
              make("span", {class: "fold", "aria-hidden": "true", text: folded ? "▸" : "▾"}) :
              make("span", {class: "fold leaf", "aria-hidden": "true"}));
    }
    if (place === 0 && model.details[row])
      element.classList.add("has-details");
    const splits = model.splits(column);
    if (this.printing && splits)
      element.append(make("bdi", {
        class: "name",
        text: shownLabel(model.text(row, column), PrintedName, splits.at(model.text(row, column)))
      }));
    else
      fillCell(element, cell, column, column.bar ? model.extent(column) : null, splits);
    return element;
  },

  renderFoot() {
    const {model} = this;
    const rows = [];
    for (const line of model.summary)
      rows.push(this.footRow(String(line.label || ""),
          (column) => line.cells ? line.cells[column.key] : undefined, "summary"));
    const sums = model.columns.some((column) => column.sum);
    if (sums && this.selected.size) {
      const chosen = [...this.selected];
      rows.push(this.footRow(`Sum of ${plural(chosen.length, "selected row")}`,
          (column) => column.sum ? model.sum(chosen, column) : undefined, "sum"));
    }
    if (sums && model.isFiltered() && model.matches) {
      const chosen = model.filteredRows();
      rows.push(this.footRow(`Sum of ${plural(model.matches, "row")} that match`,
          (column) => column.sum ? model.sum(chosen, column) : undefined, "sum"));
    }
    this.foot.replaceChildren(...rows);
  },

  footRow(label, cellOf, kind) {
    const row = make("tr", {class: kind});
    this.visible.forEach((column, place) => {
      const element = make(place ? "td" : "th",
          {class: column.right && place ? "right" : null, scope: place ? null : "row"});
      const cell = cellOf(column);
      if (!place) {
        element.append(makeName(label, 120));
        if (cell !== undefined && cell !== null)
          element.append(" ", makeName(cellText(cell, column.unit), 80));
      } else if (cell !== undefined) {
        fillCell(element, cell, column, null);
      }
      row.append(element);
    });
    if (this.hasFiller)
      row.append(make("td"));
    return row;
  },
};

export {tableRows};
