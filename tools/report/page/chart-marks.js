// chart-marks.js - what charts are drawn with: colours, hatching, ticks, legends, tooltips.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {d3} from "./d3.js";
import {make, makeName} from "./dom.js";
import {isWaiting} from "./event-colours.js";
import {shownName, shownNumber} from "./text.js";
import {tooltip} from "./tooltip.js";

// Distinguishable with colour vision deficiencies too (after Okabe and Ito), on either background.
const SeriesColours = [
  "--series-1", "--series-2", "--series-3", "--series-4", "--series-5", "--series-6", "--series-7",
  "--series-8"
];

export function seriesColour(index) {
  return `var(${SeriesColours[index % SeriesColours.length]})`;
}

// Time without work is grey and hatched in all charts.
export function partColour(part, index) {
  return isWaiting(partKind(part)) ? `var(--${partKind(part)})` : seriesColour(index);
}

export function partKind(part) {
  return /^idle/i.test(part) ? "idle" : /^wait/i.test(part) ? "wait" : "";
}

// The lines of a tooltip joined for screen readers: names are cut, and invisible characters are
// shown.
export function spokenLines(lines) { return lines.map((line) => shownName(line, 120)).join(", "); }

export function textWidth(text) { return text.length * 6.6; }

// On a logarithmic scale, at most so many: powers of ten; if there are few, 1, 2 and 5 of each.
export function logTicks([least, greatest], most) {
  const first = Math.floor(Math.log10(least)), last = Math.floor(Math.log10(greatest));
  const within = (factors, step) => {
    const ticks = [];
    for (let power = first; power <= last; power += step)
      ticks.push(...factors.map((factor) => factor * 10 ** power));
    return ticks.filter((tick) => tick >= least && tick <= greatest);
  };
  const fine = within([1, 2, 5], 1);
  return fine.length <= most ?
      fine :
      within([1], Math.max(1, Math.ceil((last - first) / Math.max(1, most))));
}

// Axis ticks for times: steps of 1, 2, 5 in a fitting unit.
export function unitAxis(axis, unit, count) {
  return axis.ticks(count).tickSizeOuter(0).tickFormat((value) => shownTick(value, unit));
}

export function shownTick(value, unit) {
  if (unit === "ns") {
    const size = Math.abs(value);
    const [divisor, name] = size >= 1e9 ? [1e9, "s"] :
        size >= 1e6                     ? [1e6, "ms"] :
        size >= 1e3                     ? [1e3, "us"] :
                                          [1, "ns"];
    return value === 0 ? "0" : `${Number((value / divisor).toPrecision(6))} ${name}`;
  }
  return shownNumber(value, unit);
}

export function legendOf(names, colourOf) {
  return make("ul", {class: "legend"}, ...names.map((name, index) => {
    const swatch = make("span", {class: "swatch", "aria-hidden": "true"});
    swatch.style.background = colourOf(index);
    return make("li", {}, swatch, makeName(name, 60));
  }));
}

export function tip(selection, lines) {
  selection
      .on("pointermove",
          (datum, index) => tooltip.show(lines(datum, index), d3.event.clientX, d3.event.clientY))
      .on("pointerleave", tooltip.hide);
}

export function hatchPath(left, right, top, bottom) {
  let path = "";
  const height = bottom - top;
  for (let x = Math.ceil((left - height) / 6) * 6; x < right; x += 6) {
    const from = Math.max(x, left), to = Math.min(x + height, right);
    if (to > from)
      path += `M${from} ${bottom - (from - x)}L${to} ${bottom - (to - x)}`;
  }
  return path;
}
