// table-view.js - the visible part of a table: only rows in view are elements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {announce, byId, make, makeButton, styleValue} from "./dom.js";
import {panel} from "./panel.js";
import {setState, stateValue} from "./state.js";
import {tableInput} from "./table-input.js";
import {RowHeight, tableRows} from "./table-rows.js";
import {TableTools} from "./table-tools.js";
import {modelOf} from "./table.js";
import {
  cellText,
  cutMiddle,
  NumericUnits,
  shownCount,
  shownName,
  shownProse,
  tooltipText
} from "./text.js";
import {oncePerFrame} from "./timing.js";

const NameWidth = 320, NarrowNameWidth = 170, BarWidth = 120;
const views = new WeakMap();  // by element
let tableCount = 0;
let measuring = null;

// For names outside the first column; on a wide screen they get more.
function wideCell() { return 240 + Math.max(0, window.innerWidth - 1440) * 0.25; }

// The width of a cell's text: fonts differ between systems.
function measured(text, weight, mono = false) {
  measuring = measuring || document.createElement("canvas").getContext("2d");
  measuring.font = `${weight} 12px ${styleValue(mono ? "--mono" : "--sans")}`;
  return measuring.measureText(text).width;
}

export class TableView {
  // `options`: id (kept in the address), compact (within the panel), onRow(model, row).
  constructor(spec, options = {}) {
    this.model = modelOf(spec);
    this.options = options;
    this.id = options.id || null;
    this.domId = `grid-${++tableCount}`;
    this.selected = new Set();
    this.anchor = -1;
    this.active = -1;
    this.opened = -1;
    this.flashed = -1;
    this.first = 0;
    this.last = 0;
    this.cells = new Map();
    this.visible = this.model.columns.filter((column) => !column.hidden);
    if (!this.visible.length)
      this.visible = this.model.columns.slice();
    this.readState();
    this.build(spec);
  }

  readState() {
    const common = stateValue("q") || "";
    const sort = this.id ? stateValue(`sort.${this.id}`) : null;
    this.applySort(sort);
    const query = (this.id ? stateValue(`filter.${this.id}`) : null) || "";
    if (query || common || this.model.isFiltered())
      this.model.setFilter(query, common);
  }

  applySort(text) {
    const descending = Boolean(text && text.startsWith("-"));
    const key = text ? text.slice(descending ? 1 : 0) : null;
    const column =
        key === null ? null : this.model.columns.find((entry) => entry.key === key) || null;
    const now = this.model.sort;
    if ((now ? now.column : null) !== column || (now && now.descending !== descending))
      this.model.setSort(column, descending);
  }

  build(spec) {
    this.element = make("section", {
      role: "group",
      class: `table${this.options.compact ? " compact" : ""}${this.options.plain ? "" : " opens"}`,
      "aria-labelledby": `${this.domId}-title`
    });
    views.set(this.element, this);
    this.tools = new TableTools(this, String(spec.title || ""));
    this.body = make("tbody");
    this.foot = make("tfoot");
    this.head = make("thead");
    this.group = make("colgroup");
    this.grid = make("table", {
      role: this.model.tree ? "treegrid" : "grid",
      id: this.domId,
      tabindex: "0",
      "aria-labelledby": `${this.domId}-title`,
      "aria-multiselectable": "true",
    },
        this.group, this.head, this.body, this.foot);
    this.scroll = make("div", {class: "table-scroll"}, this.grid);
    this.empty = make("p", {class: "empty", hidden: true});
    this.more = makeButton("", () => this.showAll(), {class: "more", hidden: true});
    this.element.append(this.tools.element, this.scroll, this.empty, this.more);
    this.scroll.addEventListener("scroll", oncePerFrame(() => {
      this.scroll.classList.toggle("scrolled", this.scroll.scrollLeft > 0);
      this.renderRows(false);
    }),
        {passive: true});
    this.body.addEventListener("click", (event) => this.clicked(event));
    this.grid.addEventListener("keydown", (event) => this.pressed(event));
    this.grid.addEventListener("focus", () => {
      if (this.active < 0 && this.model.lines.length && this.grid.matches(":focus-visible"))
        this.activate(
            this.model.lines[Math.min(this.first + 1, this.model.lines.length - 1)], false);
    });
    // Tables are created before they are in the page: their size is known only later.
    let height = 0;
    new ResizeObserver(oncePerFrame(() => {
      if (this.scroll.clientHeight !== height) {
        height = this.scroll.clientHeight;
        this.renderRows(false);
      }
    })).observe(this.scroll);
    this.refresh();
  }

  refresh() {
    this.setColumns();
    this.update();
  }

  setColumns() {
    this.group.replaceChildren();
    let fixed = 0, flexible = 0;
    for (const column of this.visible) {
      const width = this.widthOf(column);
      const element = make("col");
      if (width)
        element.style.width = `${width}px`;
      else
        ++flexible;
      fixed +=
          width || (this.options.compact || window.innerWidth < 700 ? NarrowNameWidth : NameWidth);
      this.group.append(element);
    }
    if (!flexible)
      this.group.append(make("col"));
    this.hasFiller = !flexible;
    this.grid.style.minWidth = `${fixed}px`;
    this.grid.setAttribute("aria-colcount", String(this.visible.length));
    this.head.replaceChildren(
        make("tr", {"aria-rowindex": "1"}, ...this.visible.map((column) => this.headCell(column)),
            this.hasFiller ? make("td") : null));
  }

  // Widths come from a sample of the rows: they must not change during scrolling.
  widthOf(column) {
    const wide = column.unit === "name" || column.unit === "text" || column.unit === "list" ||
        column.unit === "place";
    if (column.unit === "spark")
      return 108;
    if (column === this.visible[0] && wide)
      return 0;
    let longest = measured(column.title, "600") + 14;
    const step = Math.max(1, Math.floor(this.model.count / 200));
    for (let row = 0; row < this.model.count; row += step) {
      const weight = this.model.emphasis[row] === "strong" ? "600" : "400";
      longest =
          Math.max(longest, measured(cutMiddle(this.model.text(row, column), 100), weight, wide));
    }
    for (const line of this.model.summary)
      if (line.cells && line.cells[column.key] !== undefined)
        longest = Math.max(longest, measured(cellText(line.cells[column.key], column.unit), "400"));
    // The largest figure of a column may not be in the sample; sums are even larger.
    if (column.sum || column.unit === "ns")
      longest = Math.max(longest, measured("000.000 ms", "600"));
    return Math.ceil(
        Math.min(wide ? wideCell() : 400, Math.max(longest, column.bar ? BarWidth - 20 : 0)) + 20);
  }

  headCell(column) {
    const sort = this.model.sort && this.model.sort.column === column ? this.model.sort : null;
    const help = column.help ? shownProse(column.help) : null;
    const button = makeButton(
        "", () => this.sortBy(column), {class: "sort", title: help ? tooltipText(help) : null});
    button.append(make("span", {text: shownName(column.title, 60)}), make("span", {
      class: "arrow",
      "aria-hidden": "true",
      text: sort ? (sort.descending ? "▼" : "▲") : ""
    }));
    const cell = make("th", {
      scope: "col",
      "data-title": shownName(column.title, 60),
      class: column.right ? "right" : null,
      "aria-sort": sort ? (sort.descending ? "descending" : "ascending") : "none",
    },
        button);
    if (help)
      button.setAttribute("aria-description", tooltipText(help));
    return cell;
  }

  sortBy(column) {
    const now = this.model.sort && this.model.sort.column === column ? this.model.sort : null;
    const firstDescending = NumericUnits.has(column.unit);
    if (!now)
      this.model.setSort(column, firstDescending);
    else if (now.descending === firstDescending)
      this.model.setSort(column, !firstDescending);
    else
      this.model.setSort(null, false);
    const sort = this.model.sort;
    if (this.id)
      setState(`sort.${this.id}`, sort ? `${sort.descending ? "-" : ""}${sort.column.key}` : null);
    const index = this.visible.indexOf(column);
    this.scroll.scrollTop = 0;
    this.refresh();
    // The heads were created again; the focus stays where it was.
    this.head.querySelectorAll("button")[index].focus();
    announce(sort ? `Sorted by ${column.title}, ${sort.descending ? "descending" : "ascending"}` :
                    "In the original order");
  }

  setFilter(query, common) {
    this.model.setFilter(query, common);
    this.scroll.scrollTop = 0;
    this.update();
  }

  showAll() {
    this.model.showAll = true;
    this.model.update();
    this.update();
    this.grid.focus();
  }

  update() {
    const {model} = this;
    this.grid.setAttribute("aria-rowcount", String(model.shownRows + 1 + model.summary.length));
    const none = model.shownRows === 0;
    this.empty.hidden = !none;
    this.empty.textContent =
        model.count ? "No row matches the filter." : "Nothing was recorded for this table.";
    const left = model.count - model.shownRows;
    const truncated =
        !model.showAll && !model.isFiltered() && model.top < model.count && !model.folded.size;
    this.more.hidden = !truncated || left <= 0;
    this.more.textContent = `Show all ${shownCount(model.count)} rows`;
    this.renderFoot();
    this.tools.update();
    this.renderRows(true);
  }

  markActive() {
    if (this.active >= 0 && byId(`${this.domId}-row-${this.active}`))
      this.grid.setAttribute("aria-activedescendant", `${this.domId}-row-${this.active}`);
    else
      this.grid.removeAttribute("aria-activedescendant");
  }

  activate(row, scroll = true) {
    this.active = row;
    if (scroll)
      this.scrollTo(row);
    this.renderRows(true);
    this.markActive();
  }

  scrollTo(row) {
    const line = this.model.lineOfRow.get(row);
    if (line === undefined)
      return;
    const top = line * RowHeight;
    const inner = this.scroll.clientHeight - this.head.offsetHeight - this.foot.offsetHeight;
    if (top < this.scroll.scrollTop)
      this.scroll.scrollTop = top;
    else if (top + RowHeight > this.scroll.scrollTop + inner)
      this.scroll.scrollTop = top + RowHeight - inner;
  }

  open(row) {
    this.opened = row;
    this.renderRows(true);
    this.markActive();
    if (this.options.onRow)
      this.options.onRow(this, row);
    else if (!this.options.plain)
      panel.showRow(this, row);
  }

  closed() {
    this.opened = -1;
    this.renderRows(true);
  }

  // The target of a link: the row is made visible whatever hid it.
  reveal(row) {
    if (!this.model.uncover(row)) {
      this.tools.clearFilter();
      this.model.uncover(row);
    }
    this.flashed = row;
    this.update();
    this.active = row;
    const line = this.model.lineOfRow.get(row) ?? 0;
    this.scroll.scrollTop = Math.max(0, line * RowHeight - this.scroll.clientHeight / 2);
    this.renderRows(true);
    this.markActive();
    setTimeout(() => {
      this.flashed = -1;
      this.body.querySelector(".flash")?.classList.remove("flash");
    }, 1600);
  }
}

Object.assign(TableView.prototype, tableRows, tableInput);

export function tableViewOf(element) { return views.get(element); }
