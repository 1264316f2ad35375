// cell.js - the contents of a table's cell: a figure and its bar, a line, a name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {make, makeName, makeSvg} from "./dom.js";
import {makeSplitName} from "./splits.js";
import {cellText, cellValue, escaped, NumericUnits, shownCount} from "./text.js";
import {withTooltip} from "./tooltip.js";

const SparkWidth = 88, SparkHeight = 16, SparkPoints = 176;

// In long series each point is the largest of its part, so that outliers stay visible.
function thinned(values, most) {
  if (values.length <= most)
    return values;
  const result = [];
  for (let part = 0; part < most; ++part) {
    let greatest = null;
    const end = Math.floor((part + 1) * values.length / most);
    for (let index = Math.floor(part * values.length / most); index < end; ++index)
      if (typeof values[index] === "number" && (greatest === null || values[index] > greatest))
        greatest = values[index];
    result.push(greatest);
  }
  return result;
}

export function sparkline(values) {
  const points = thinned(values, SparkPoints);
  let least = Infinity, most = -Infinity;
  for (const value of points)
    if (typeof value === "number") {
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  if (most < least)
    return make("span", {text: "-"});
  const span = most - least || 1;
  let path = "", pen = "M";
  points.forEach((value, index) => {
    if (typeof value !== "number") {
      pen = "M";
      return;
    }
    const x =
        points.length < 2 ? SparkWidth / 2 : 1 + index * (SparkWidth - 2) / (points.length - 1);
    const y = most === least ? SparkHeight / 2 :
                               SparkHeight - 2 - (value - least) / span * (SparkHeight - 4);
    path += `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
    pen = "L";
  });
  return makeSvg("svg", {
    class: "spark",
    width: SparkWidth,
    height: SparkHeight,
    role: "img",
    "aria-label": `${values.length} values from ${shownCount(least)} to ${shownCount(most)}`
  },
      makeSvg("path", {d: path}));
}

// Bars start at zero, which is at the left, or between negative and positive values. A bar has the
// colour of better or worse if the column says which it is.
function barOf(value, {least, most}, better) {
  const span = most - least;
  const zero = -least / span * 100, length = Math.abs(value) / span * 100;
  const bar = make("span", {
    class: !better || least >= 0          ? "bar" :
        value < 0 === (better === "less") ? "bar gain" :
                                            "bar loss"
  });
  bar.style.left = `${(value < 0 ? zero - length : zero).toFixed(2)}%`;
  bar.style.width = `${length.toFixed(2)}%`;
  return make("span", {class: "bar-track", "aria-hidden": "true"}, bar);
}

// Fills a cell; `extent`: range for its bar, null for none; `splits`: those of its column.
export function fillCell(element, cell, column, extent, splits = null) {
  if (column.unit === "spark" && Array.isArray(cell)) {
    element.append(sparkline(cell));
    return;
  }
  const text = cellText(cell, column.unit);
  const numeric = NumericUnits.has(column.unit);
  if (cell === null || cell === undefined || cell === false)
    element.classList.add("unknown");
  if (extent) {
    const value = cellValue(cell, column.unit);
    if (typeof value === "number" && value !== 0) {
      element.classList.add("barred");
      element.append(barOf(value, extent, column.better));
    }
  }
  if (numeric && text.length < 60) {
    element.append(make("span", {class: "value", text: escaped(text)}));
    return;
  }
  element.append(splits ? makeSplitName(text, 240, splits.at(text)) : makeName(text, 240));
  if (column.unit === "place" || column.unit === "name" || column.unit === "list")
    element.classList.add("mono");
  // Only names that may be cut need more text than the cell shows.
  if (text.length > 24)
    withTooltip(element, () => [column.title, text]);
}
