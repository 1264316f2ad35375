// roofline.js - kernels by FLOPs a byte and FLOPs a second, below the roofs of their device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {legendOf, logTicks, seriesColour, spokenLines, textWidth, tip} from "./chart-marks.js";
import {ChartFrame, chartTable} from "./chart.js";
import {d3} from "./d3.js";
import {makeSvg} from "./dom.js";
import {linkTarget, targetAddress, toTarget} from "./links.js";
import {shownLabel, Splits} from "./splits.js";
import {plural, shownCount, shownNumber, shownTime} from "./text.js";
import {tooltip, withTooltip} from "./tooltip.js";

const RooflineNames = 8;  // for the points with the most time
const ReplacedRadius = 4;
const RooflineKinds = [
  "nearest to memory's roof", "nearest to a roof of computing", "no roof known",
  "eager operator that a kernel replaced, size fixed"
];

function rooflineKind(roof) { return !roof ? 2 : roof.bytes_per_s === undefined ? 1 : 0; }

function rooflineColour(kind) {
  return [
    seriesColour(0), seriesColour(1), "var(--whole)",
    "radial-gradient(circle, var(--surface) 45%, var(--text) 50% 65%, transparent 70%)"
  ][kind];
}

function roofText(roof) {
  return `${roof.name}, ${
      roof.bytes_per_s === undefined ? shownNumber(roof.flop_per_s, "flop_per_s") :
                                       shownNumber(roof.bytes_per_s, "bytes_per_s")}`;
}

// FLOP/s that a roof allows for a number of FLOPs per byte.
function roofAt(roof, x) {
  return roof.bytes_per_s === undefined ? roof.flop_per_s : roof.bytes_per_s * x;
}

function rooflineLines(point, roofs) {
  const roof = roofs[point.roof];
  return [
    point.name,
    `${shownNumber(point.flop_per_byte, "flop_per_byte")} FLOP/byte, ${
        shownNumber(point.flop_per_s, "flop_per_s")}`,
    `${shownTime(point.total_ns)} in ${plural(point.calls, "call")}` +
        (point.known_calls < point.calls ? `; figures of ${shownCount(point.known_calls)} of them` :
                                           ""),
    roof ? `${point.percent.toFixed(1)}% of its roof: ${roofText(roof)}` : "no roof known",
    ...(roofs[point.unit] && point.unit !== point.roof ?
            [`computes with ${roofText(roofs[point.unit])}`] :
            []),
  ];
}

function replacedLines(operator, points) {
  return [
    `${operator.name}: eager operator that ${points[operator.point].name} replaced`,
    `${shownNumber(operator.flop_per_byte, "flop_per_byte")} FLOP/byte, ${
        shownNumber(operator.flop_per_s, "flop_per_s")}, by formula and its own time`,
    `${shownTime(operator.total_ns)} in ${plural(operator.calls, "compared call")}`,
  ];
}

// Areas that already have text or lines.
class Occupied {
  constructor() { this.boxes = []; }
  add(left, top, width, height) { this.boxes.push([left, top, width, height]); }
  addLine(from, to) {
    const parts = Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / 8);
    for (let part = 0; part <= parts; ++part)
      this.add(from[0] + (to[0] - from[0]) * part / parts,
          from[1] + (to[1] - from[1]) * part / parts, 1, 1);
  }
  take(left, top, width, height) {
    const free = this.boxes.every((box) => left + width < box[0] || box[0] + box[2] < left ||
            top + height < box[1] || box[1] + box[3] < top);
    if (free)
      this.boxes.push([left, top, width, height]);
    return free;
  }
}

function rooflineScales(roofs, points, replaced, width, height, edges) {
  // A device has one, a processor one for each level of its caches.
  const memories = roofs.filter((roof) => roof.bytes_per_s !== undefined);
  const peaks = roofs.filter((roof) => !memories.includes(roof)).map((roof) => roof.flop_per_s);
  const dots = [...points, ...replaced];
  const xs = dots.map((dot) => dot.flop_per_byte);
  const ys = dots.map((dot) => dot.flop_per_s).concat(peaks);
  for (const memory of memories)
    xs.push(...peaks.map((peak) => peak / memory.bytes_per_s));
  const most = d3.max(points, (point) => point.total_ns) || 1;
  return {
    memories,
    peaks,
    radius: (point) => Math.max(3, 16 * Math.sqrt(point.total_ns / most)),
    x: d3.scaleLog().domain([d3.min(xs) / 3, d3.max(xs) * (width < 600 ? 60 : 12)]).range([
      edges.left, width - edges.right
    ]),
    y: d3.scaleLog().domain([d3.min(ys) / 3, d3.max(ys) * 2]).range([
      height - edges.bottom, edges.top
    ]),
  };
}

function drawRoofs(svg, roofs, points, {memories, peaks, x, y}, occupied, narrow) {
  const [left, right] = x.domain();
  const used = new Set(points.flatMap((point) => [roofs[point.roof], roofs[point.unit]]));
  // The only memory roof is above all kernels.
  if (memories.length === 1)
    used.add(memories[0]);
  // Letters are narrower in the sans-serif font.
  const widthOf = (text) => textWidth(text) * 0.88;
  const group = svg.append("g").attr("class", "roofs");
  const line = (roof, from, to) => {
    const drawn = group.append("line")
                      .attr("class", used.has(roof) ? "roof" : "roof unused")
                      .attr("x1", x(from))
                      .attr("x2", x(to))
                      .attr("y1", y(roofAt(roof, from)))
                      .attr("y2", y(roofAt(roof, to)));
    tip(drawn, () => [roofText(roof)]);
    const ends = [from, to].map((at) => [x(at), y(roofAt(roof, at))]);
    occupied.addLine(...ends);
    return ends;
  };
  const labelOf = (roof) => narrow ? roof.name : roofText(roof);
  const labelMemory = (memory, from, to) => {
    const turn = Math.atan2(to[1] - from[1], to[0] - from[0]) * 180 / Math.PI;
    const text = labelOf(memory);
    // Along the line, if it is long enough.
    const wide = widthOf(text) + 20, long = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (long < wide)
      return;
    const end = [0, 1].map((axis) => from[axis] + (to[axis] - from[axis]) * wide / long);
    for (const above of [5, 10, 15])
      occupied.addLine([from[0], from[1] - above], [end[0], end[1] - above]);
    group.append("text")
        .attr("class", "roof-label")
        .attr("transform", `translate(${from[0]},${from[1]}) rotate(${turn})`)
        .attr("x", 10)
        .attr("y", -5)
        .text(text);
  };
  const label = (roof) => {
    const text = labelOf(roof), at = y(roof.flop_per_s), wide = widthOf(text);
    if (occupied.take(x(right) - wide, at - 11, wide, 9))
      group.append("text")
          .attr("class", "roof-label")
          .attr("x", x(right))
          .attr("y", at - 3)
          .attr("text-anchor", "end")
          .text(text);
  };
  // First the names of roofs with points, then lines, then other names that fit.
  const computing = roofs.filter((roof) => !memories.includes(roof));
  computing.filter((roof) => used.has(roof)).forEach(label);
  for (const memory of memories) {
    const low = Math.max(left, y.domain()[0] / memory.bytes_per_s);
    const high = Math.min(right, (d3.max(peaks) || y.domain()[1]) / memory.bytes_per_s);
    if (low < high)
      labelMemory(memory, ...line(memory, low, high));
  }
  for (const roof of computing) {
    const ridge = roof.flop_per_s / (d3.max(memories, (memory) => memory.bytes_per_s) || Infinity);
    line(roof, Math.min(right, Math.max(left, ridge)), right);
  }
  computing.filter((roof) => !used.has(roof)).forEach(label);
}

// The arrow keys go from point to point; Tab stops once for the whole chart.
function walkPoints(event, anchors) {
  const at = anchors.indexOf(event.target.closest("a"));
  const to = {
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    Home: 0,
    End: anchors.length - 1
  }[event.key];
  if (at < 0 || to === undefined)
    return;
  event.preventDefault();
  const next = anchors[Math.max(0, Math.min(anchors.length - 1, to))];
  for (const anchor of anchors)
    anchor.setAttribute("tabindex", anchor === next ? "0" : "-1");
  next.focus();
}

// Below the kernels' dots, joined to them.
function drawReplaced(svg, points, replaced, {x, y}) {
  const group = svg.append("g").attr("class", "replaced");
  for (const operator of replaced) {
    const point = points[operator.point];
    const cx = x(operator.flop_per_byte), cy = y(operator.flop_per_s);
    group.append("line")
        .attr("x1", cx)
        .attr("y1", cy)
        .attr("x2", x(point.flop_per_byte))
        .attr("y2", y(point.flop_per_s));
    tip(group.append("circle").attr("cx", cx).attr("cy", cy).attr("r", ReplacedRadius),
        () => replacedLines(operator, points));
  }
}

function drawPoints(svg, roofs, points, {x, y, radius}, occupied, width) {
  const group = svg.append("g").attr("class", "points");
  points.forEach((point, index) => {
    const roof = roofs[point.roof];
    const target = linkTarget(point.link);
    const lines = rooflineLines(point, roofs);
    const anchor = makeSvg(target ? "a" : "g", {
      class: "point",
      href: target ? targetAddress(target) : null,
      tabindex: index ? "-1" : "0",
      "aria-label": spokenLines(lines)
    });
    if (target)
      toTarget(anchor, target);
    const cx = x(point.flop_per_byte), cy = y(point.flop_per_s);
    if (roof)
      anchor.append(makeSvg("line",
          {class: "gap", x1: cx, x2: cx, y1: cy, y2: y(roofAt(roof, point.flop_per_byte))}));
    const circle = makeSvg("circle", {cx, cy, r: radius(point)});
    circle.style.fill = circle.style.stroke = rooflineColour(rooflineKind(roof));
    anchor.append(circle);
    anchor.addEventListener("focus", () => {
      const box = circle.getBoundingClientRect();
      tooltip.show(lines, box.right, box.bottom);
    });
    anchor.addEventListener("blur", tooltip.hide);
    withTooltip(anchor, () => lines);
    group.node().append(anchor);
  });
  const anchors = [...group.node().children];
  group.node().addEventListener("keydown", (event) => walkPoints(event, anchors));
  const splits = new Splits(points.map((point) => String(point.name)));
  for (const point of points.slice(0, RooflineNames)) {
    const name = String(point.name);
    const text = shownLabel(name, width < 600 ? 18 : 30, splits.at(name));
    const wide = textWidth(text), gap = radius(point) + 4;
    const cx = x(point.flop_per_byte), top = y(point.flop_per_s) - 6;
    const place = [cx + gap, cx - gap - wide].find((left) => left > x.range()[0] &&
            left + wide < x.range()[1] && occupied.take(left, top, wide, 12));
    if (place !== undefined)
      group.append("text")
          .attr("class", "point-label")
          .attr("x", place)
          .attr("y", top + 10)
          .text(text);
  }
}

export function makeRoofline(item) {
  const {roofs = [], points = [], replaced = []} = item.data || {};
  const describe = () => `${plural(points.length, "kernel")}: ` + [
    ...points.slice(0, 20).map((point) => rooflineLines(point, roofs)),
    ...replaced.slice(0, 20).map((operator) => replacedLines(operator, points))
  ].map(spokenLines).join("; ");
  const draw = (svg, width) => {
    const height = Math.max(300, Math.min(440, width * 0.6));
    const edges = {left: 88, right: 12, top: 12, bottom: 42};
    if (!points.length) {
      svg.append("text").attr("class", "axis-label").attr("x", 8).attr("y", 18).text("No kernels.");
      return 30;
    }
    const scales = rooflineScales(roofs, points, replaced, width, height, edges);
    const {x, y} = scales;
    svg.append("g")
        .attr("class", "grid")
        .attr("transform", `translate(${edges.left},0)`)
        .call(d3.axisLeft(y)
                .tickValues(logTicks(y.domain(), 8))
                .tickSize(-(width - edges.left - edges.right))
                .tickFormat((value) => shownNumber(value, "flop_per_s").replace(".0 ", " ")));
    svg.append("g")
        .attr("class", "grid")
        .attr("transform", `translate(0,${height - edges.bottom})`)
        .call(d3.axisBottom(x)
                .tickValues(logTicks(x.domain(), Math.floor((width - edges.left) / 50)))
                .tickSize(-(height - edges.bottom - edges.top))
                .tickFormat((value) => String(Number(value.toPrecision(1)))));
    svg.append("text")
        .attr("class", "axis-title")
        .attr("x", width - edges.right)
        .attr("y", height - 6)
        .attr("text-anchor", "end")
        .text("FLOP/byte →");
    const occupied = new Occupied();
    for (const point of points) {
      const half = scales.radius(point) * 0.8;
      occupied.add(x(point.flop_per_byte) - half, y(point.flop_per_s) - half, 2 * half, 2 * half);
    }
    for (const operator of replaced)
      occupied.add(x(operator.flop_per_byte) - ReplacedRadius,
          y(operator.flop_per_s) - ReplacedRadius, 2 * ReplacedRadius, 2 * ReplacedRadius);
    drawRoofs(svg, roofs, points, scales, occupied, width < 600);
    drawReplaced(svg, points, replaced, scales);
    drawPoints(svg, roofs, points, scales, occupied, width);
    return height;
  };
  const table = () => chartTable(item,
      [
        {key: "name", title: "Kernel", unit: "name"},
        {key: "flop_per_byte", title: "FLOP/byte", unit: "flop_per_byte"},
        {key: "flop_per_s", title: "FLOP/s", unit: "flop_per_s"},
        {key: "percent", title: "Of its roof", unit: "percent", bar: true},
        {key: "roof", title: "Roof", unit: "text"},
        {key: "total_ns", title: "Total", unit: "ns", total: "sum"},
        {key: "calls", title: "Calls", unit: "count", total: "sum"},
        {key: "known_calls", title: "With figures", unit: "count", total: "sum"}
      ],
      points.map((point) => [point.name, point.flop_per_byte, point.flop_per_s, point.percent,
                     roofs[point.roof] ? roofText(roofs[point.roof]) : null, point.total_ns,
                     point.calls, point.known_calls]));
  const replacedTable = () => chartTable(item,
      [
        {key: "name", title: "Eager operator", unit: "name"},
        {key: "kernel", title: "Replaced by", unit: "name"},
        {key: "flop_per_byte", title: "FLOP/byte", unit: "flop_per_byte"},
        {key: "flop_per_s", title: "FLOP/s", unit: "flop_per_s"},
        {key: "total_ns", title: "Compared", unit: "ns"},
        {key: "calls", title: "Calls", unit: "count"}
      ],
      replaced.map(
          (operator) => [operator.name, points[operator.point].name, operator.flop_per_byte,
              operator.flop_per_s, operator.total_ns, operator.calls]),
      "Eager operators, as a table");
  const frame = new ChartFrame(
      item, describe, draw, () => replaced.length ? [table(), replacedTable()] : [table()]);
  const kinds =
      [0, 1, 2].filter((kind) => points.some((point) => rooflineKind(roofs[point.roof]) === kind));
  if (replaced.length)
    kinds.push(3);
  frame.box.before(legendOf(
      [...kinds.map((kind) => RooflineKinds[kind])], (index) => rooflineColour(kinds[index])));
  return frame;
}
