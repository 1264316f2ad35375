// links.js - the targets of the document's links, and the anchors for them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {report, rowCount} from "./document.js";
import {make} from "./dom.js";

// The target of a link, or null if there is none.
export function linkTarget(link) {
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

export function targetAddress(target) {
  if (target.row !== null && target.row !== undefined)
    return `#at=${target.section.id}&row=${target.table}.${target.row}`;
  if (target.table)
    return `#at=${target.section.id}&table=${target.table}`;
  if (target.chart)
    return `#at=${target.section.id}&chart=${target.chart}`;
  return `#at=${target.section.id}`;
}

// Anchors by their targets: following one within the page keeps sorting, filters and search.
const anchorTargets = new WeakMap();

export function toTarget(anchor, target) {
  anchorTargets.set(anchor, target);
  return anchor;
}

export function targetOf(anchor) { return anchorTargets.get(anchor); }

// A link of the document as an anchor of the page; without a target it is plain text.
export function makeLink(link, text, attributes) {
  const target = linkTarget(link);
  if (!target)
    return make("span", {}, text);
  return toTarget(
      make("a", Object.assign({href: targetAddress(target)}, attributes), text), target);
}
