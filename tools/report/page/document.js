// document.js - the document: read once, with an index of link targets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {byId} from "./dom.js";
import {shownName} from "./text.js";
import {texts} from "./texts.js";

const SchemaPrefix = "seamscope.page/";
const Schema = "seamscope.page/1";

export const report = {
  title: "",
  verb: "",
  version: "",
  facts: [],
  sections: [],
  tables: new Map(),  // by id: { spec, section }
  charts: new Map(),  // by id: { item, section }
};

// An id becomes part of addresses and of the element's id: only characters that are harmless in
// both are allowed.
export function safeId(id, otherwise) {
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
    // If several have one id, links lead to the first.
    item.key = uniqueId(safeId(item.id, `table-${place}`), report.tables);
    report.tables.set(item.key, {spec: item, section});
  } else if (item.type === "chart") {
    item.key = uniqueId(safeId(item.id, `chart-${place}`), report.charts);
    report.charts.set(item.key, {item, section});
  } else if (item.type === "pair") {
    (item.items || []).forEach((inner, index) => indexItem(inner, section, `${place}-${index}`));
  }
}

export function readDocument() {
  const element = byId("document");
  if (!element)
    throw new Error("the file holds no document");
  const data = JSON.parse(element.textContent);
  if (typeof data.schema !== "string" || !data.schema.startsWith(SchemaPrefix))
    throw new Error("the document is not a Seamscope page");
  if (data.schema !== Schema && !data.schema.startsWith(`${Schema}.`))
    throw new Error(
        `the document is of a later version (${shownName(data.schema)}) than this page`);
  report.title = String(data.title || "");
  report.verb = String(data.verb || "report");
  report.version = String(data.version || "");
  report.facts = data.facts || [];
  texts.expect(data.texts || 0);
  const taken = new Set();
  (data.sections || []).forEach((section, index) => {
    const id = uniqueId(safeId(section.id, `section-${index}`), taken);
    taken.add(id);
    const entry = {
      id,
      title: String(section.title || id),
      items: section.items || [],
      // Created when it is first shown.
      element: null,
      tableViews: [],
      chartViews: [],
      searchables: []
    };
    entry.items.forEach((item, place) => indexItem(item, entry, `${index}-${place}`));
    report.sections.push(entry);
  });
}

export function rowCount(spec) { return spec.packed ? spec.count || 0 : (spec.rows || []).length; }
