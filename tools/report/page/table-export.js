// table-export.js - rows of a table as text for files and the clipboard.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Fields as in RFC 4180; the data itself is not changed.
export function csvField(value) {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

// Tabs and line ends would end a cell in a spreadsheet.
export function tsvField(value) {
  return value === null || value === undefined ? "" : String(value).replace(/[\t\r\n]+/g, " ");
}

export function tableAsText(model, rows, field, separator, lineEnd) {
  const lines = [model.columns.map((column) => field(column.key)).join(separator)];
  for (const row of rows)
    lines.push(model.columns
            .map((column) => {
              const cell = model.cell(row, column);
              return field(
                  Array.isArray(cell) ? cell.map(String).join("; ") : model.value(row, column));
            })
            .join(separator));
  return lines.join(lineEnd) + lineEnd;
}
