// panel.js - the panel at the side: details of a row or an event.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {copyText, remember, remembered} from "./browser.js";
import {sparkline} from "./cell.js";
import {report} from "./document.js";
import {announce, byId, make, makeButton, makeName} from "./dom.js";
import {setRow, setState, stateAddress} from "./state.js";
import {shownName, tooltipText} from "./text.js";
import {themed} from "./themed.js";

const PanelLeast = 300;

const panel = {
  element: null,
  now: null,  // { title, facts, items, owner, row, closed }
  stack: [],  // targets of "Back": rows of tables within the panel lead deeper

  attach(element, makeItem) {
    this.element = element;
    this.makeItem = makeItem;
    this.handle = make("div", {
      class: "panel-handle",
      role: "separator",
      tabindex: "0",
      "aria-orientation": "vertical",
      "aria-label": "Width of the panel",
      "aria-valuemin": String(PanelLeast),
      "aria-valuemax": "1600",
      "aria-controls": "panel"
    });
    this.back = makeButton("‹ Back", () => this.goBack(), {hidden: true});
    this.heading = make("h2", {tabindex: "-1"});
    this.address =
        makeButton("Copy link", () => this.copyLink(), {title: "Copy the address of this row"});
    this.closing = makeButton("✕", () => this.close(),
        {class: "plain icon", "aria-label": "Close the panel", "aria-keyshortcuts": "Escape"});
    this.body = make("div", {class: "panel-body"});
    element.append(this.handle,
        make("div", {class: "panel-head"}, this.back, this.heading, this.address, this.closing),
        this.body);
    this.setWidth(Number(remembered("panel", "520")));
    this.handle.addEventListener("pointerdown", (event) => {
      this.handle.setPointerCapture(event.pointerId);
      const move = (moved) => this.setWidth(document.documentElement.clientWidth - moved.clientX);
      this.handle.addEventListener("pointermove", move);
      this.handle.addEventListener("pointerup", () => {
        this.handle.removeEventListener("pointermove", move);
        remember("panel", String(this.width));
      }, {once: true});
      event.preventDefault();
    });
    this.handle.addEventListener("keydown", (event) => {
      const by = {ArrowLeft: 24, ArrowRight: -24}[event.key];
      if (!by)
        return;
      this.setWidth(this.width + by);
      remember("panel", String(this.width));
      event.preventDefault();
    });
  },

  setWidth(width) {
    const most = Math.max(PanelLeast, document.documentElement.clientWidth - 360);
    this.width = Math.round(Math.max(PanelLeast, Math.min(most, width || 520)));
    byId("layout").style.setProperty("--panel-width", `${this.width}px`);
    this.handle.setAttribute("aria-valuenow", String(this.width));
  },

  isOf(view) { return this.now !== null && this.now.owner === view; },

  showRow(view, row) {
    const {model} = view;
    // The heading already has the name.
    const named = model.columns.find((column) => column.unit === "name") || model.columns[0];
    const facts = model.columns.filter((column) => column !== named)
                      .map((column) => [column.title, model.text(row, column), column.help,
                               model.cell(row, column), column]);
    const notes = (model.notes[row] || []).map((text) => ({type: "note", text, level: "plain"}));
    this.show({
      title: model.nameOf(row),
      facts,
      items: [...notes, ...(model.details[row] || [])],
      owner: view,
      row,
      closed: () => view.closed()
    });
    if (view.id && report.tables.has(view.id))
      setRow(view.id, row);
    announce(`Details of ${model.nameOf(row)}`);
  },

  show(content) {
    const inner =
        content.owner && content.owner.element && this.element.contains(content.owner.element);
    if (inner && this.now && this.now.owner !== content.owner)
      this.stack.push(Object.assign(
          {}, this.now, {nodes: [...this.body.childNodes], top: this.body.scrollTop}));
    else if (!inner)
      this.leave(content.owner);
    this.now = content;
    // The address names the row that is shown; events have no address.
    if (content.row === undefined && !inner)
      setState("row", null);
    this.element.hidden = false;
    byId("layout").classList.add("with-panel");
    this.fillHead();
    this.body.replaceChildren(this.factsOf(content),
        ...content.items.map((item) => this.makeItem(item, {compact: true})));
    this.body.scrollTop = 0;
    themed.forget();
  },

  fillHead() {
    this.heading.replaceChildren(makeName(this.now.title, 160));
    this.heading.title = tooltipText(this.now.title);
    this.back.hidden = !this.stack.length;
    this.address.hidden =
        this.now.row === undefined || !this.now.owner.id || !report.tables.has(this.now.owner.id);
  },

  factsOf(content) {
    const list = make("dl", {class: "facts"});
    for (const [label, text, help, cell, column] of content.facts) {
      const value = make("dd");
      if (column && column.unit === "spark" && Array.isArray(cell))
        value.append(sparkline(cell));
      else
        value.append(makeName(text === "" ? "-" : text, 600));
      list.append(make("div", {},
          make("dt", {text: shownName(label, 60), title: help ? tooltipText(help) : null}), value));
    }
    return list;
  },

  // Tells the owner of the row that it is no longer shown.
  leave(next) {
    for (const content of [this.now, ...this.stack])
      if (content && content.closed && content.owner !== next)
        content.closed();
    this.stack = [];
  },

  goBack() {
    const last = this.stack.pop();
    if (this.now.closed)
      this.now.closed();
    this.now = last;
    this.fillHead();
    this.body.replaceChildren(...last.nodes);
    this.body.scrollTop = last.top;
    this.heading.focus();
  },

  close() {
    if (!this.now)
      return false;
    const {owner} = this.stack.length ? this.stack[0] : this.now;
    const focused = this.element.contains(document.activeElement);
    this.leave(null);
    this.now = null;
    this.element.hidden = true;
    this.body.replaceChildren();
    byId("layout").classList.remove("with-panel");
    setState("row", null);
    // The focus returns to where the panel was opened.
    const target = owner && (owner.grid || owner.canvas);
    if (focused && target && target.isConnected)
      target.focus();
    return true;
  },

  async copyLink() {
    const {owner, row} = this.now;
    setRow(owner.id, row);
    const copied = await copyText(location.href.replace(/#.*/, "") + stateAddress());
    this.address.textContent = copied ? "Copied" : "Not allowed";
    setTimeout(() => {
      this.address.textContent = "Copy link";
    }, 1500);
  },
};

export {panel};
