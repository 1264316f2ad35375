// places.js - the places of the page: sections, and the table, row or chart that a link refers to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {report, rowCount} from "./document.js";
import {byId} from "./dom.js";
import {makeSection} from "./items.js";
import {openNavigation, updateNavigation} from "./navigation.js";
import {panel} from "./panel.js";
import {search} from "./search.js";
import {noteSection, readAddress, readRow, stateValue, visit, withoutWriting} from "./state.js";
import {shownName} from "./text.js";
import {themed} from "./themed.js";
import {isPacked, unpack} from "./unpack.js";

export function ensureSection(section) {
  if (section.element)
    return;
  section.element = makeSection(section);
  // In the document's order, in whatever order they were opened.
  const after =
      report.sections.slice(report.sections.indexOf(section) + 1).find((other) => other.element);
  byId("main").insertBefore(section.element, after ? after.element : null);
  search.follow(section);
}

function showSection(section) {
  ensureSection(section);
  for (const other of report.sections)
    if (other.element)
      other.element.hidden = other !== section;
  noteSection(section.id);
  document.title = shownName(`${section.title} – ${report.title || "Seamscope"}`, 160);
  openNavigation(false);
  updateNavigation();
  themed.redraw();
  for (const view of section.tableViews)
    view.renderRows(true);
}

function viewOf(section, table) {
  return section.tableViews.find((view) => view.id === table) || null;
}

function chartOf(section, chart) {
  return section.chartViews.find((view) => view.key === chart) || null;
}

// The section that is being unpacked to be shown.
let awaited = null;

// Goes to the target of a link. `quiet`: the address already has it. Returns a promise if the
// target must first be unpacked.
export function goTo(target, quiet) {
  const {section} = target;
  awaited = isPacked(section) ? target : null;
  byId("loading").hidden = awaited === null;
  if (awaited)
    return unpack(section).then(() => awaited === target ? goTo(target, quiet) : undefined);
  const moved = stateValue("at") !== section.id;
  if (!quiet) {
    const values = {at: section.id};
    if (Number.isInteger(target.row))
      values.row = `${target.table}.${target.row}`;
    else if (target.table)
      values.table = target.table;
    else if (target.chart)
      values.chart = target.chart;
    visit(values);
  }
  showSection(section);
  if (!target.table && !target.chart) {
    panel.close();
    if (moved && !quiet) {
      scrollTo(0, 0);
      byId(`heading-${section.id}`).focus({preventScroll: true});
    }
    return;
  }
  if (target.chart) {
    const chart = chartOf(section, target.chart);
    if (chart) {
      chart.element.scrollIntoView({block: "start"});
      (chart.canvas || chart.element).focus({preventScroll: true});
    }
    return;
  }
  const view = viewOf(section, target.table);
  if (!view)
    return;
  view.element.scrollIntoView({block: "nearest"});
  if (Number.isInteger(target.row)) {
    view.reveal(target.row);
    view.open(target.row);
    view.element.scrollIntoView({block: "nearest"});
  }
  view.grid.focus({preventScroll: true});
}

// Shows what the page's address says. Returns a promise if that is not finished in this call.
export function applyAddress() {
  readAddress();
  return withoutWriting(() => {
    const query = stateValue("q") || "";
    search.show(query);
    const row = readRow();
    let section =
        report.sections.find((entry) => entry.id === stateValue("at")) || report.sections[0];
    const table = report.tables.get(row ? row.table : stateValue("table") || "");
    const chart = report.charts.get(stateValue("chart") || "");
    if (table)
      section = table.section;
    else if (chart)
      section = chart.section;
    if (!section)
      return undefined;
    for (const view of section.element ? section.tableViews : []) {
      view.applySort(stateValue(`sort.${view.id}`));
      const filter = stateValue(`filter.${view.id}`) || "";
      if (view.model.query !== filter)
        view.setFilter(view.tools.filter.value = filter, query);
      view.refresh();
    }
    const target = {section};
    if (table && (!row || row.row < rowCount(table.spec)))
      Object.assign(target, {table: table.spec.key, row: row ? row.row : null});
    else if (chart)
      target.chart = chart.item.key;
    return goTo(target, true);
  });
}
