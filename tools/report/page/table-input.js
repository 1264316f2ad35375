// table-input.js - mouse and keyboard of a table: moving, selecting, folding, opening.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {announce} from "./dom.js";
import {panel} from "./panel.js";
import {RowHeight} from "./table-rows.js";
import {plural} from "./text.js";

// Methods of TableView.
const tableInput = {
  rowOfEvent(event) {
    const element = event.target.closest("tr[data-row]");
    return element ? Number(element.dataset.row) : -1;
  },

  clicked(event) {
    const row = this.rowOfEvent(event);
    if (row < 0)
      return;
    if (event.target.closest(".fold") && this.model.toggleFold(row)) {
      this.update();
      return;
    }
    this.grid.focus({preventScroll: true});
    if (event.shiftKey && this.anchor >= 0) {
      this.selectTo(row);
    } else if (event.ctrlKey || event.metaKey) {
      this.toggleSelected(row);
    } else if (String(getSelection()) === "") {
      // A drag over text selects it for copying.
      this.clearSelection();
      this.anchor = row;
      this.activate(row, false);
      this.open(row);
    }
  },

  toggleSelected(row) {
    if (!this.selected.delete(row))
      this.selected.add(row);
    this.anchor = row;
    this.active = row;
    this.selectionChanged();
  },

  selectTo(row) {
    const {lineOfRow, lines, noteOf} = this.model;
    const from = lineOfRow.get(this.anchor), to = lineOfRow.get(row);
    if (from === undefined || to === undefined)
      return;
    this.selected.clear();
    for (let line = Math.min(from, to); line <= Math.max(from, to); ++line)
      if (noteOf[line] < 0)
        this.selected.add(lines[line]);
    this.active = row;
    getSelection().removeAllRanges();
    this.selectionChanged();
  },

  clearSelection() {
    if (!this.selected.size)
      return false;
    this.selected.clear();
    this.selectionChanged();
    return true;
  },

  selectionChanged() {
    this.update();
    this.markActive();
    if (this.selected.size)
      announce(`${plural(this.selected.size, "row")} selected`);
  },

  pressed(event) {
    if (event.target !== this.grid || event.ctrlKey && event.key !== "a" || event.metaKey ||
        event.altKey)
      return;
    const {model} = this;
    const line = this.active >= 0 ? model.lineOfRow.get(this.active) : undefined;
    const page = Math.max(1, Math.floor(this.scroll.clientHeight / RowHeight) - 3);
    let to = null;
    switch (event.key) {
      case "ArrowDown":
      case "j": to = this.step(line, 1); break;
      case "ArrowUp":
      case "k": to = this.step(line, -1); break;
      case "PageDown": to = this.step(line, page); break;
      case "PageUp": to = this.step(line, -page); break;
      case "Home": to = this.step(-1, 1); break;
      case "End": to = this.step(model.lines.length, -1); break;
      case "ArrowRight": this.fold(false); break;
      case "ArrowLeft": this.fold(true); break;
      case "Enter":
        if (this.active >= 0)
          this.open(this.active);
        break;
      case " ":
        if (this.active >= 0)
          this.toggleSelected(this.active);
        break;
      case "a":
        if (!event.ctrlKey)
          return;
        this.selected = new Set(model.filteredRows());
        this.selectionChanged();
        break;
      case "Escape":
        if (!this.clearSelection())
          return;
        event.stopPropagation();
        break;
      default: return;
    }
    event.preventDefault();
    if (to === null)
      return;
    if (event.shiftKey) {
      if (this.anchor < 0)
        this.anchor = this.active;
      this.selectTo(to);
      this.scrollTo(to);
      this.renderRows(true);
      this.markActive();
      return;
    }
    this.anchor = to;
    this.activate(to);
    // With the panel open, moving selects the row and shows its details.
    if (this.opened >= 0 && panel.isOf(this))
      this.open(to);
  },

  step(line, by) {
    const {lines, noteOf} = this.model;
    if (!lines.length)
      return null;
    let to = line === undefined ? 0 : Math.max(0, Math.min(lines.length - 1, line + by));
    const direction = by < 0 || to === lines.length - 1 ? -1 : 1;
    while (noteOf[to] >= 0 && to > 0 && to < lines.length - (direction > 0 ? 1 : 0))
      to += direction;
    return lines[to];
  },

  fold(close) {
    const row = this.active;
    if (row < 0)
      return;
    if (this.model.toggleFold(row, close)) {
      this.update();
      this.markActive();
      return;
    }
    if (!this.model.tree) {
      this.scroll.scrollLeft += close ? -60 : 60;
      return;
    }
    const to = close ? this.model.tree.parent[row] : (this.model.tree.of.get(row) || [-1])[0];
    if (to >= 0 && this.model.lineOfRow.has(to))
      this.activate(to);
  },
};

export {tableInput};
