// inspect.js - what tests may ask of a page beyond its elements: the one global object.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {tableViewOf} from "./table-view.js";

// seamscopePage.table(element): for a `section.table`, its columns, the numbers of its rows in the
// order shown, and its cells as in the document, visible or not. Null for other elements.
function inspectedTable(element) {
  const view = tableViewOf(element);
  if (!view)
    return null;
  const {model, visible} = view;
  return {
    columns: model.columns.map(
        (column) => ({key: column.key, unit: column.unit, shown: visible.includes(column)})),
    order: Array.from(model.order),
    rows: () => Array.from(
        {length: model.count}, (_, row) => model.columns.map((column) => model.cell(row, column))),
    cell: (row, column) => model.cell(row, model.columns[column])
  };
}

export function exposeToTests() {
  globalThis.seamscopePage = Object.freeze({table: inspectedTable});
}
