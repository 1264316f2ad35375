// charts.js - waterfall, histogram and stacked bars.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {
  hatchPath,
  legendOf,
  partColour,
  partKind,
  shownTick,
  textWidth,
  tip
} from "./chart-marks.js";
import {ChartFrame, chartTable} from "./chart.js";
import {d3} from "./d3.js";
import {makeSvg} from "./dom.js";
import {isWaiting} from "./event-colours.js";
import {linkTarget, targetAddress, toTarget} from "./links.js";
import {shownLabel, Splits} from "./splits.js";

import {plural, shownCount, shownName, shownNumber, shownTime, signed} from "./text.js";
import {tooltip} from "./tooltip.js";

// A step with evidence links to it.
function waterfallRow(bar, text) {
  const target = bar.link ? linkTarget(bar.link) : null;
  if (!target)
    return makeSvg("g");
  const label = `${shownName(bar.label, 80)} ${text}`;
  return toTarget(makeSvg("a", {href: targetAddress(target), "aria-label": label}), target);
}

export function makeWaterfall(item) {
  const {begin, end, steps} = Object.assign({steps: []}, item.data);
  let at = begin ? begin.value : 0;
  const bars = begin ?
      [{label: begin.label, from: 0, to: begin.value, whole: true, value: begin.value}] :
      [];
  for (const step of steps) {
    bars.push(
        {label: step.label, from: at, to: at + step.value, value: step.value, link: step.link});
    at += step.value;
  }
  if (end)
    bars.push({label: end.label, from: 0, to: end.value, whole: true, value: end.value});
  const splits = new Splits(bars.map((bar) => String(bar.label)));
  const shown = (bar) => bar.whole ? shownTime(bar.value) : signed(bar.value, "ns");
  const describe = () => bars.length ?
      bars.slice(0, 40).map((bar) => `${shownName(bar.label, 80)}: ${shown(bar)}`).join("; ") :
      "No steps.";
  const draw = (svg, width) => {
    const row = 26;
    const label = Math.min(
        width * 0.42, Math.max(60, ...bars.map((bar) => textWidth(shownName(bar.label, 48)) + 12)));
    const room = Math.max(40, width - label - 96);
    const least = Math.min(0, ...bars.map((bar) => Math.min(bar.from, bar.to)));
    const most = Math.max(1, ...bars.map((bar) => Math.max(bar.from, bar.to)));
    const x = d3.scaleLinear().domain([least, most]).range([label, label + room]);
    const limit = Math.max(6, Math.floor((label - 12) / 6.6));
    const rows = svg.selectAll("g.bar-row")
                     .data(bars)
                     .enter()
                     .append((bar) => waterfallRow(bar, shown(bar)))
                     .attr("transform", (bar, index) => `translate(0,${index * row})`);
    rows.append("rect")
        .attr("class", "hit")
        .attr("width", width)
        .attr("height", row)
        .attr("fill", "transparent");
    rows.append("text")
        .attr("class", "axis-label")
        .attr("x", label - 8)
        .attr("y", row / 2)
        .attr("dy", "0.35em")
        .attr("text-anchor", "end")
        .text((bar) => shownLabel(String(bar.label), limit, splits.at(String(bar.label))));
    rows.append("rect")
        .attr("class",
            (bar) => bar.whole ? "whole" :
                bar.value < 0  ? "gain" :
                                 "loss")
        .attr("x", (bar) => Math.min(x(bar.from), x(bar.to)))
        .attr("y", 4)
        .attr("height", row - 8)
        .attr("width", (bar) => Math.max(1, Math.abs(x(bar.to) - x(bar.from))))
        .attr("rx", 2);
    rows.append("text")
        .attr("class", "value-label")
        .attr("x", (bar) => Math.max(x(bar.from), x(bar.to)) + 6)
        .attr("y", row / 2)
        .attr("dy", "0.35em")
        .text(shown);
    // From each bar to the next: a line at the common level.
    svg.append("g")
        .attr("class", "connectors")
        .selectAll("line")
        .data(bars.slice(0, -1))
        .enter()
        .append("line")
        .attr("x1", (bar) => x(bar.to))
        .attr("x2", (bar) => x(bar.to))
        .attr("y1", (bar, index) => index * row + row - 4)
        .attr("y2", (bar, index) => (index + 1) * row + 4);
    tip(rows,
        (bar) => [bar.label, shown(bar),
            bar.whole ? "" : `${shownTime(bar.from)} → ${shownTime(bar.to)}`]
            .filter(Boolean));
    return bars.length * row + 4 || 24;
  };
  const table = () => chartTable(item,
      [
        {key: "label", title: "Step", unit: "name"}, {key: "ns", title: "Change", unit: "ns"},
        {key: "level_ns", title: "Level", unit: "ns"}
      ],
      bars.map((bar) => [bar.label, bar.value, bar.to]));
  return new ChartFrame(item, describe, draw, table);
}

export function makeHistogram(item) {
  const {edges = [], counts = []} = item.data || {};
  const total = counts.reduce((sum, count) => sum + count, 0);
  const describe = () => total ? `${plural(total, "value")} from ${shownTime(edges[0])} to ${
                                     shownTime(edges[edges.length - 1])}` :
                                 "No values.";
  const draw = (svg, width) => {
    const height = 160, left = 52, bottom = 26;
    if (!counts.length) {
      svg.append("text").attr("class", "axis-label").attr("x", 8).attr("y", 18).text("No values.");
      return 30;
    }
    // By position: the recorder chose the distances of the edges.
    const logarithmic = edges[0] > 0 && edges[edges.length - 1] / edges[0] > 20;
    const x = (logarithmic ? d3.scaleLog() : d3.scaleLinear())
                  .domain([edges[0], edges[edges.length - 1]])
                  .range([left, width - 12]);
    const y = d3.scaleLinear().domain([0, d3.max(counts) || 1]).nice(4).range([height - bottom, 8]);
    svg.append("g")
        .attr("class", "grid")
        .attr("transform", `translate(${left},0)`)
        .call(d3.axisLeft(y).ticks(4).tickSize(-(width - left - 12)).tickFormat(shownCount));
    const axis =
        svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - bottom})`);
    const most = Math.max(2, Math.floor((width - left) / 72));
    const ticks = thinTicks(edges, most);
    axis.call(d3.axisBottom(x).tickValues(ticks).tickSizeOuter(0).tickFormat(
        (value) => shownTick(Number(value.toPrecision(3)), "ns")));
    const bars =
        svg.append("g")
            .selectAll("rect")
            .data(counts)
            .enter()
            .append("rect")
            .attr("class", "plain-bar")
            .attr("x", (count, index) => x(edges[index]) + 0.5)
            .attr("width", (count, index) => Math.max(1, x(edges[index + 1]) - x(edges[index]) - 1))
            .attr("y", (count) => count ? Math.min(y(count), y(0) - 1) : y(0))
            .attr("height", (count) => count ? Math.max(1, y(0) - y(count)) : 0);
    tip(bars,
        (count, index) => [`${shownTime(edges[index])} to ${shownTime(edges[index + 1])}`,
            `${plural(count, "value")}, ${(count / total * 100).toFixed(1)}%`]);
    return height;
  };
  const table = () => chartTable(item,
      [
        {key: "from_ns", title: "From", unit: "ns"}, {key: "to_ns", title: "To", unit: "ns"},
        {key: "count", title: "Count", unit: "count", total: "sum", bar: true}
      ],
      counts.map((count, index) => [edges[index], edges[index + 1], count]));
  return new ChartFrame(item, describe, draw, table);
}

function thinTicks(values, most) {
  if (values.length <= most)
    return values;
  const step = Math.ceil((values.length - 1) / Math.max(1, most - 1));
  return values.filter((value, index) => index % step === 0);
}

const BarsAtMost = 64;

export function makeBars(item) {
  const {unit = "ns", parts = [], rows = []} = item.data || {};
  const sums =
      rows.map((row) => row.values.reduce((sum, value) => sum + Math.max(0, value || 0), 0));
  const drawn = rows.slice(0, BarsAtMost);
  const splits = new Splits(drawn.map((row) => String(row.label)));
  const describe = () => rows.length ?
      drawn.map((row, index) => `${shownName(row.label, 60)}: ${shownNumber(sums[index], unit)}`)
          .join("; ") :
      "No rows.";
  const draw = (svg, width) => {
    const row = 22;
    const label = Math.min(width * 0.4,
        Math.max(50, ...drawn.map((entry) => textWidth(shownName(entry.label, 40)) + 12)));
    const x = d3.scaleLinear().domain([0, d3.max(sums) || 1]).range([
      label, Math.max(label + 30, width - 84)
    ]);
    const limit = Math.max(6, Math.floor((label - 12) / 6.6));
    drawn.forEach((entry, index) => {
      const group = svg.append("g").attr("transform", `translate(0,${index * row})`);
      group.append("text")
          .attr("class", "axis-label")
          .attr("x", label - 8)
          .attr("y", row / 2)
          .attr("dy", "0.35em")
          .attr("text-anchor", "end")
          .text(shownLabel(String(entry.label), limit, splits.at(String(entry.label))));
      let at = 0;
      entry.values.forEach((value, part) => {
        const size = Math.max(0, value || 0);
        const left = x(at), right = x(at + size);
        group.append("rect")
            .attr("x", left)
            .attr("width", Math.max(0, right - left))
            .attr("y", 3)
            .attr("height", row - 6)
            .attr("fill", partColour(String(parts[part]), part));
        if (isWaiting(partKind(String(parts[part]))) && right - left > 4)
          group.append("path")
              .attr("class", "hatching")
              .attr("d", hatchPath(left, right, 3, row - 3));
        at += size;
      });
      group.append("text")
          .attr("class", "value-label")
          .attr("x", x(at) + 6)
          .attr("y", row / 2)
          .attr("dy", "0.35em")
          .text(shownNumber(sums[index], unit));
      group.append("rect")
          .attr("width", width)
          .attr("height", row)
          .attr("fill", "transparent")
          .on("pointermove",
              () => tooltip.show(
                  [
                    entry.label,
                    ...parts.map(
                        (part, place) => `${part}: ${shownNumber(entry.values[place], unit)}`)
                  ],
                  d3.event.clientX, d3.event.clientY))
          .on("pointerleave", tooltip.hide);
    });
    if (rows.length > drawn.length)
      svg.append("text")
          .attr("class", "axis-label")
          .attr("x", 8)
          .attr("y", drawn.length * row + 14)
          .text(`${shownCount(rows.length - drawn.length)} more in the table`);
    if (!rows.length)
      svg.append("text")
          .attr("class", "axis-label")
          .attr("x", 8)
          .attr("y", 16)
          .text("Nothing was recorded.");
    return drawn.length * row + (rows.length > drawn.length || !rows.length ? 22 : 4);
  };
  const table = () => chartTable(item,
      [
        {key: "label", title: "Row", unit: "name"},
        ...parts.map(
            (part, index) => ({key: `part_${index}`, title: String(part), unit, total: "sum"}))
      ],
      rows.map((row) => [row.label, ...parts.map((part, index) => row.values[index] ?? null)]));
  const frame = new ChartFrame(item, describe, draw, table);
  if (parts.length > 1)
    frame.box.before(legendOf(parts, (index) => partColour(String(parts[index]), index)));
  return frame;
}
