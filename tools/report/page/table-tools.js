// table-tools.js - the line above a table: title, filter, columns, folding, copying and exporting.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {copyText, download} from "./browser.js";
import {safeId} from "./document.js";
import {announce, make, makeButton} from "./dom.js";
import {search} from "./search.js";
import {setState} from "./state.js";
import {csvField, tableAsText, tsvField} from "./table-export.js";
import {plural, shownCount, shownName, tooltipText} from "./text.js";
import {later} from "./timing.js";

export class TableTools {
  constructor(view, title) {
    this.view = view;
    this.title = title;
    const {model, domId} = view;
    this.count = make("span", {class: "count"});
    this.filter = make("input", {
      type: "search",
      class: "filter",
      placeholder: "Filter rows, or /regex/",
      "aria-label": `Filter the rows of ${
          shownName(title, 80) || "the table"}: a part of the text, or /regular expression/`,
      autocomplete: "off",
      spellcheck: "false",
      maxlength: 1000
    });
    this.filter.value = model.query;
    this.problem = make("span", {class: "problem", role: "alert"});
    const apply = later(model.count > 20000 ? 200 : 60, () => this.apply());
    this.filter.addEventListener("input", apply);
    this.filter.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.filter.value) {
        this.clearFilter();
        event.stopPropagation();
      } else if (event.key === "ArrowDown" || event.key === "Enter") {
        this.apply();
        this.view.grid.focus();
        event.preventDefault();
      }
    });
    const buttons = make("span", {class: "buttons"});
    if (model.tree)
      buttons.append(makeButton("Fold", () => this.foldAll(true), {title: "Fold all rows"}),
          makeButton("Unfold", () => this.foldAll(false), {title: "Unfold all rows"}));
    if (model.columns.length > 1)
      buttons.append(this.columnMenu(domId));
    buttons.append(
        makeButton("Copy", () => this.copy(),
            {title: "Copy the selected rows, or those that match, as tab-separated values"}),
        makeButton("CSV", () => this.save(),
            {title: "Save the selected rows, or those that match, as CSV"}));
    const small = model.count <= 1 && !model.tree;
    this.heading = make(view.options.compact ? "h4" : "h3",
        {id: `${domId}-title`, text: shownName(title, 120) || "Table"});
    this.element = make("div", {class: "table-tools"}, this.heading, this.count, this.problem,
        small ? null : this.filter, buttons);
  }

  columnMenu(domId) {
    const {view} = this;
    const box = make("div", {
      class: "menu",
      id: `${domId}-columns`,
      hidden: true,
      role: "group",
      "aria-label": "Columns"
    });
    const hidden = view.model.columns.filter((column) => column.hidden).length;
    const button = makeButton(hidden ? `Columns +${hidden}` : "Columns", () => show(box.hidden),
        {"aria-expanded": "false", "aria-controls": box.id, title: "Choose the columns"});
    // Listens to the page only while it is open, as tables come and go.
    const elsewhere = (event) => {
      if (!box.parentElement.contains(event.target))
        show(false);
    };
    const show = (visible) => {
      if (visible)
        document.addEventListener("pointerdown", elsewhere);
      else
        document.removeEventListener("pointerdown", elsewhere);
      box.hidden = !visible;
      button.setAttribute("aria-expanded", String(visible));
      if (visible)
        box.querySelector("input").focus();
    };
    for (const column of view.model.columns) {
      const input = make("input", {type: "checkbox"});
      input.checked = view.visible.includes(column);
      input.addEventListener("change", () => {
        const wanted = view.model.columns.filter(
            (entry) => entry === column ? input.checked : view.visible.includes(entry));
        if (!wanted.length) {
          input.checked = true;
          return;
        }
        view.visible = wanted;
        view.refresh();
      });
      box.append(make("label", {title: column.help ? tooltipText(column.help) : null}, input,
          make("span", {text: shownName(column.title, 60)})));
    }
    const wrap = make("span", {class: "menu-wrap"}, button, box);
    wrap.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !box.hidden) {
        show(false);
        button.focus();
        event.stopPropagation();
      }
    });
    wrap.addEventListener("focusout", (event) => {
      if (!wrap.contains(event.relatedTarget) && event.relatedTarget)
        show(false);
    });
    return wrap;
  }

  apply() {
    const query = this.filter.value;
    if (this.view.id)
      setState(`filter.${this.view.id}`, query);
    this.view.setFilter(query, this.view.model.common);
    if (query)
      announce(plural(this.view.model.matches, "row matches", "rows match"));
  }

  clearFilter() {
    this.filter.value = "";
    if (this.view.model.common)
      search.clear();
    this.apply();
  }

  foldAll(fold) {
    this.view.model.foldAll(fold);
    this.view.update();
  }

  chosenRows() {
    const {selected, model} = this.view;
    return selected.size ? Array.from(model.order).filter((row) => selected.has(row)) :
                           model.filteredRows();
  }

  async copy() {
    const rows = this.chosenRows();
    const copied = await copyText(tableAsText(this.view.model, rows, tsvField, "\t", "\n"));
    announce(
        copied ? `${plural(rows.length, "row")} copied` : "The browser does not allow copying");
    this.say(copied ? `${plural(rows.length, "row")} copied` : "copying is not allowed here");
  }

  save() {
    const rows = this.chosenRows();
    const name = `seamscope-${safeId(this.view.id, "table")}.csv`;
    download(name, "text/csv;charset=utf-8",
        [tableAsText(this.view.model, rows, csvField, ",", "\r\n")]);
    this.say(`${plural(rows.length, "row")} saved`);
  }

  // For a moment, shows the result of the action instead of the count.
  say(text) {
    this.count.textContent = text;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.update(), 2500);
  }

  update() {
    const {model, selected} = this.view;
    let text = plural(model.count, "row");
    if (model.isFiltered())
      text = `${shownCount(model.matches)} of ${text}`;
    else if (!model.showAll && model.top < model.count)
      text = `${shownCount(Math.min(model.top, model.count))} of ${text}`;
    if (selected.size)
      text += `, ${shownCount(selected.size)} selected`;
    this.count.textContent = text;
    this.filter.setAttribute("aria-invalid", String(Boolean(model.problem)));
    this.problem.textContent = model.problem ? shownName(model.problem.message, 160) : "";
  }
}
