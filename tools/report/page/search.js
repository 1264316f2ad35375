// search.js - the global search: it filters everything, and shows where it found matches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {report} from "./document.js";
import {announce} from "./dom.js";
import {setState, stateValue} from "./state.js";
import {countedModel} from "./table.js";
import {haystack, makeMatcher, plural, shownName} from "./text.js";
import {Names} from "./texts.js";
import {later} from "./timing.js";
import {isDamaged, isPacked, unpack} from "./unpack.js";

const search = {
  input: null,
  found: new Map(),  // matches by section, during a search

  attach(input, {showFound, goTo}) {
    this.input = input;
    this.showFound = showFound;
    this.goTo = goTo;
    input.value = stateValue("q") || "";
    input.addEventListener("input", later(180, () => this.apply(input.value)));
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        this.clear();
        event.stopPropagation();
      } else if (event.key === "Enter") {
        this.apply(input.value);
        this.goToFound();
      }
    });
  },

  clear() {
    this.input.value = "";
    this.apply("");
  },

  // The query in an address.
  show(query) {
    if (!query && !this.input.value)
      return;
    this.input.value = query;
    this.applied = null;
    this.apply(query);
  },

  apply(query) {
    if (query === (stateValue("q") || "") && query === this.applied)
      return;
    this.applied = query;
    setState("q", query);
    const matcher = makeMatcher(query);
    this.input.setAttribute("aria-invalid", String(matcher instanceof Error));
    this.input.title = matcher instanceof Error ? shownName(matcher.message, 200) : "";
    const usable = matcher instanceof Error ? null : matcher;
    for (const section of report.sections)
      if (section.element)
        this.applyTo(section, query, usable);
    // Packed parts are searched too.
    if (usable && report.sections.some(isPacked))
      Promise.all(report.sections.map(unpack)).then(() => {
        if (this.applied === query)
          this.count(usable);
      });
    else
      this.count(usable);
  },

  count(usable) {
    this.found = new Map(
        usable ? report.sections.map((section) => [section, this.countIn(section, usable)]) : []);
    this.showFound(this.found);
    if (usable) {
      const counts = [...this.found.values()];
      announce(`${plural(counts.reduce((sum, count) => sum + count, 0), "match", "matches")} in ${
          plural(counts.filter(Boolean).length, "section")}`);
    }
  },

  // For a section that is shown for the first time.
  follow(section) {
    const query = stateValue("q");
    const matcher = makeMatcher(query);
    if (query && typeof matcher === "function")
      this.applyTo(section, query, matcher);
  },

  // Visible parts already follow the search; later ones read it from the state.
  applyTo(section, query, matcher) {
    for (const view of section.tableViews)
      if (view.model.common !== query)
        view.setFilter(view.model.query, query);
    for (const chart of section.chartViews)
      if (chart.seek && chart.common !== query) {
        chart.common = query;
        chart.seek();
      }
    for (const {element, text} of section.searchables)
      element.hidden = Boolean(matcher) && !matcher(text);
  },

  countIn(section, matcher) {
    let found = 0;
    const visit = (item) => {
      if (!item || typeof item !== "object")
        return;
      if (item.type === "table") {
        if (isDamaged(item))
          return;
        const model = countedModel(item);
        const test = model.rowTest(matcher);
        for (let row = 0; row < model.count; ++row)
          found += test(row) ? 1 : 0;
      } else if (item.type === "pair") {
        (item.items || []).forEach(visit);
      } else if (item.type === "chart") {
        const data = item.data || {};
        for (const {names, packed} of [data, ...(data.views || [])])
          found += new Names(names, Boolean(packed))
                       .matching([matcher])
                       .reduce((sum, hit) => sum + hit, 0);
      } else {
        const texts = [item.kind, item.text, item.remedy, item.title, ...(item.lines || [])];
        found += texts.some((text) => typeof text === "string" && matcher(haystack(text))) ? 1 : 0;
      }
    };
    section.items.forEach(visit);
    return found;
  },

  goToFound() {
    const now = report.sections.find((section) => section.id === stateValue("at"));
    if (this.found.get(now))
      return;
    const other = report.sections.find((section) => this.found.get(section));
    if (other)
      this.goTo({section: other});
  },
};

export {search};
