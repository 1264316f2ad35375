// document.js - the document: read once, with an index of what links can point to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

const SchemaPrefix = "seamscope.page/";
const Schema = "seamscope.page/1";

const report = {
  title: "",
  verb: "",
  version: "",
  facts: [],
  sections: [],
  tables: new Map(),  // by id: { spec, section }
  charts: new Map(),  // by id: { item, section }
};

// An id becomes part of addresses and of the element's id: only what is harmless in both.
function safeId(id, otherwise) {
  return typeof id === "string" && /^[A-Za-z0-9_-]{1,80}$/.test(id) ? id : otherwise;
}

function uniqueId(wanted, taken) {
  let id = wanted;
  for (let number = 2; taken.has(id); ++number)
    id = `${wanted}-${number}`;
  return id;
}

function indexItem(item, section, place) {
  if (!item || typeof item !== "object")
    return;
  if (item.type === "table") {
    // The first of an id is the one that links mean.
    item.key = uniqueId(safeId(item.id, `table-${place}`), report.tables);
    report.tables.set(item.key, {spec: item, section});
  } else if (item.type === "chart") {
    item.key = uniqueId(safeId(item.id, `chart-${place}`), report.charts);
    report.charts.set(item.key, {item, section});
  } else if (item.type === "pair") {
    (item.items || []).forEach((inner, index) => indexItem(inner, section, `${place}-${index}`));
  }
}

function readDocument() {
  const element = byId("document");
  if (!element)
    throw new Error("the file holds no document");
  const data = JSON.parse(element.textContent);
  if (typeof data.schema !== "string" || !data.schema.startsWith(SchemaPrefix))
    throw new Error("the document is not one of Seamscope's pages");
  if (data.schema !== Schema && !data.schema.startsWith(`${Schema}.`))
    throw new Error(
        `the document is of a later version (${shownName(data.schema)}) than this page`);
  report.title = String(data.title || "");
  report.verb = String(data.verb || "report");
  report.version = String(data.version || "");
  report.facts = data.facts || [];
  texts.count = data.texts || 0;
  const taken = new Set();
  (data.sections || []).forEach((section, index) => {
    const id = uniqueId(safeId(section.id, `section-${index}`), taken);
    taken.add(id);
    const entry =
        {id, title: String(section.title || id), items: section.items || [], element: null};
    entry.items.forEach((item, place) => indexItem(item, entry, `${index}-${place}`));
    report.sections.push(entry);
  });
}

function rowCount(spec) { return spec.packed ? spec.count || 0 : (spec.rows || []).length; }

// Where a link leads, or null where it leads nowhere.
function linkTarget(link) {
  if (!link || typeof link !== "object")
    return null;
  if (link.table !== undefined) {
    const found = report.tables.get(link.table);
    const rows = found ? rowCount(found.spec) : 0;
    if (found && Number.isInteger(link.row) && link.row >= 0 && link.row < rows)
      return {section: found.section, table: found.spec.key, row: link.row};
    return found ? {section: found.section, table: found.spec.key, row: null} : null;
  }
  if (link.chart !== undefined) {
    const found = report.charts.get(link.chart);
    return found ? {section: found.section, chart: found.item.key} : null;
  }
  const section = report.sections.find((entry) => entry.id === link.section);
  return section ? {section} : null;
}

function targetAddress(target) {
  if (target.row !== null && target.row !== undefined)
    return `#at=${target.section.id}&row=${target.table}.${target.row}`;
  if (target.table)
    return `#at=${target.section.id}&table=${target.table}`;
  if (target.chart)
    return `#at=${target.section.id}&chart=${target.chart}`;
  return `#at=${target.section.id}`;
}

// Anchors by what they lead to: followed within the page they keep sorting, filters and search.
const anchorTargets = new WeakMap();

function toTarget(anchor, target) {
  anchorTargets.set(anchor, target);
  return anchor;
}

// A link of the document as an anchor of the page; without a target it is the plain text.
function makeLink(link, text, attributes) {
  const target = linkTarget(link);
  if (!target)
    return make("span", {}, text);
  return toTarget(
      make("a", Object.assign({href: targetAddress(target)}, attributes), text), target);
}
