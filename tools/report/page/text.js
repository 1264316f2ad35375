// text.js - names and values in readable form.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Invisible characters, and characters that reorder the text around them, are shown by their
// number.
const Invisible =
    new RegExp("[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5" +
            "\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f" +
            "\\ufeff\\uffa0\\ufff0-\\uffff]" +
            "|[\\u{e0000}-\\u{e0fff}]|\\p{Cs}",
        "gu");
const TooltipLimit = 3000;
const HaystackLimit = 4096;

export function escaped(text) {
  return text.replace(Invisible, (found) => `\\u{${found.codePointAt(0).toString(16)}}`);
}

// The middle is cut, because the ends distinguish template arguments and suffixes. Cutting comes
// first, so that the cost does not depend on the length of the name.
export function cutMiddle(text, limit) {
  if (text.length <= limit)
    return text;
  const head = Math.ceil((limit - 1) * 0.6);
  return `${text.slice(0, head)}…${text.slice(text.length - (limit - 1 - head))}`;
}

export function shownName(text, limit = 200) {
  return cutMiddle(escaped(cutMiddle(String(text), limit)), limit * 2);
}

// Notes and findings are prose: their line breaks stay.
export function shownProse(text) {
  return cutMiddle(String(text), 20000).split("\n").map(escaped).join("\n");
}

export function tooltipText(text) { return escaped(cutMiddle(String(text), TooltipLimit)); }

export function haystack(text) { return cutMiddle(String(text), HaystackLimit).toLowerCase(); }

function withSeparators(text) { return text.replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f"); }

export function shownCount(value) {
  if (Number.isInteger(value))
    return Math.abs(value) < 1e15 ? withSeparators(String(value)) : value.toExponential(3);
  return String(Number(value.toPrecision(6)));
}

// As in Seamscope's text output: a number that would round up to 1000 of a unit is 1 of the next.
export function shownTime(ns) {
  const size = Math.abs(ns);
  if (size < 999.5)
    return Number.isInteger(ns) ? `${ns} ns` : `${Number(ns.toPrecision(3))} ns`;
  if (size < 999995)
    return `${(ns / 1e3).toFixed(2)} us`;
  if (size < 999999500)
    return `${(ns / 1e6).toFixed(3)} ms`;
  return `${(ns / 1e9).toFixed(3)} s`;
}

// Exact to the nanosecond, in the largest unit that fits.
export function exactTime(ns) {
  const whole = Math.round(ns);
  const size = Math.abs(whole);
  const [divisor, digits, unit] = size >= 1e9 ? [1e9, 9, "s"] :
      size >= 1e6                             ? [1e6, 6, "ms"] :
      size >= 1e3                             ? [1e3, 3, "us"] :
                                                [1, 0, "ns"];
  return `${(whole / divisor).toFixed(digits).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "")} ${
      unit}`;
}

function scaled(value, units, decimals) {
  let index = 0, rest = value;
  // A figure that rounds up to 1000 moves to the next unit too.
  while (index + 1 < units.length && Math.abs(rest) >= 999.995) {
    rest /= 1000;
    ++index;
  }
  const digits = index === 0 && Number.isInteger(value) ? 0 : decimals;
  return `${rest.toFixed(digits)} ${units[index]}`;
}

export const NumericUnits = new Set([
  "count", "ns", "percent", "ratio", "bytes", "flop", "flop_per_s", "bytes_per_s", "flop_per_byte",
  "spark", "flag"
]);

const BytesUnits = ["B", "kB", "MB", "GB", "TB", "PB"];
const FlopUnits = ["FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP"];
const FlopRateUnits = ["FLOP/s", "kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s"];
const ByteRateUnits = ["B/s", "kB/s", "MB/s", "GB/s", "TB/s"];

export function shownNumber(value, unit) {
  if (!Number.isFinite(value))
    return "-";
  switch (unit) {
    case "ns": return shownTime(value);
    case "percent": return `${value.toFixed(1)}%`;
    case "ratio": return value.toFixed(2);
    case "bytes": return scaled(value, BytesUnits, 2);
    case "flop": return scaled(value, FlopUnits, 2);
    case "flop_per_s": return scaled(value, FlopRateUnits, 1);
    case "bytes_per_s": return scaled(value, ByteRateUnits, 1);
    case "flop_per_byte": return value.toFixed(2);
    default: return shownCount(value);
  }
}

function shownPlace(cell) {
  if (typeof cell.s === "string")
    return cell.s;
  const parts =
      [cell.file, cell.line, cell.column].filter((part) => part !== null && part !== undefined);
  return parts.join(":");
}

// The whole text of a cell, not cut.
export function cellText(cell, unit) {
  if (cell === null || cell === undefined)
    return "-";
  if (typeof cell === "number")
    return shownNumber(cell, unit);
  if (typeof cell === "string")
    return cell;
  if (typeof cell === "boolean")
    return cell ? "yes" : "no";
  if (Array.isArray(cell))
    return unit === "spark" ? `${cell.length} values` : cell.map(String).join(", ");
  if (unit === "place" || cell.file !== undefined)
    return shownPlace(cell);
  return cell.s !== undefined && cell.s !== null ? String(cell.s) : cellText(cell.v, unit);
}

// The value for sorting, sums and export.
export function cellValue(cell, unit) {
  if (cell === null || cell === undefined || typeof cell !== "object")
    return cell === undefined ? null : cell;
  if (Array.isArray(cell))
    return unit === "spark" ? (cell.length ? cell[cell.length - 1] : null) :
                              cell.map(String).join(", ");
  if (unit === "place" || cell.file !== undefined)
    return shownPlace(cell);
  return cell.v === undefined ? null : cell.v;
}

// Returns a test for texts: for a substring, ignoring case, or for /a regular expression/, which is
// matched against each cell. Null accepts anything; an expression that does not parse gives an
// Error to show. A matcher has its query, and the substring that it looks for.
export function makeMatcher(query) {
  if (!query)
    return null;
  const expression = /^\/(.+)\/$/su.exec(query);
  if (!expression) {
    const wanted = query.toLowerCase();
    return Object.assign((text) => text.includes(wanted), {query, wanted});
  }
  // Its time would double with each character of a name, and a link can contain one.
  if (/\([^()]*[*+}][^()]*\)\s*[*+{]/.test(expression[1]))
    return new Error("not searched for: a repetition of repetitions");
  try {
    const compiled = new RegExp(expression[1], "imu");
    return Object.assign((text) => compiled.test(text), {query, wanted: null});
  } catch (error) { return new Error(`not a regular expression: ${error.message}`); }
}

export function signed(value, unit) {
  return `${value > 0 ? "+" : value < 0 ? "−" : "±"}${shownNumber(Math.abs(value), unit)}`;
}

export function plural(count, one, many = `${one}s`) {
  return `${shownCount(count)} ${count === 1 ? one : many}`;
}
