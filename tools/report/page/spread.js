// spread.js - durations of calls over time: shortest, median and longest of each stretch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {legendOf, logTicks, shownTick, tip, unitAxis} from "./chart-marks.js";
import {ChartFrame, chartTable} from "./chart.js";
import {d3} from "./d3.js";
import {plural, shownTime} from "./text.js";

export function makeSpread(item) {
  const {
    begin_ns: begin = 0,
    end_ns: end = 0,
    count = 0,
    at = [],
    calls = [],
    least = [],
    median = [],
    most = []
  } = item.data || {};
  const length = Math.max(1, end - begin);
  const edge = (number) => begin + length * number / Math.max(1, count);
  const total = d3.sum(calls), low = d3.min(least), high = d3.max(most);
  const describe = () => total ?
      `${plural(total, "call")} from ${shownTime(begin)} to ${shownTime(end)}: median ${
          shownTime(median[0])} at first, ${shownTime(median[median.length - 1])} at last; from ${
          shownTime(low)} to ${shownTime(high)}` :
      "No calls.";
  const draw = (svg, width) => {
    const height = 150, left = 66, bottom = 26;
    if (!total) {
      svg.append("text").attr("class", "axis-label").attr("x", 8).attr("y", 18).text("No calls.");
      return 30;
    }
    const right = width - 14;
    const x = d3.scaleLinear().domain([begin, begin + length]).range([left, right]);
    const logarithmic = low > 0 && high / low > 20;
    const from = logarithmic ? low : low < high * 0.6 ? 0 : low - (high - low) * 0.08;
    const y = (logarithmic ? d3.scaleLog() : d3.scaleLinear())
                  .domain([from, high > from ? high : from + 1])
                  .range([height - bottom, 8]);
    const axis =
        d3.axisLeft(y).tickSize(-(right - left)).tickFormat((value) => shownTick(value, "ns"));
    const grid = svg.append("g").attr("class", "grid").attr("transform", `translate(${left},0)`);
    grid.call(logarithmic ? axis.tickValues(logTicks(y.domain(), 6)) : axis.ticks(4));
    svg.append("g")
        .attr("class", "axis")
        .attr("transform", `translate(0,${height - bottom})`)
        .call(unitAxis(d3.axisBottom(x), "ns", Math.max(2, Math.floor((right - left) / 110))));
    const classes = at.map((number, index) => ({
      left: x(edge(number)),
      right: x(edge(number + 1)),
      number,
      calls: calls[index],
      least: least[index],
      median: median[index],
      most: most[index]
    }));
    const inside = (ns) => Math.min(y(Math.max(ns, from)), height - bottom);
    const groups = svg.append("g").selectAll("g").data(classes).enter().append("g");
    groups.append("rect")
        .attr("class", "range")
        .attr("x", (one) => one.left + 0.5)
        .attr("width", (one) => Math.max(1, one.right - one.left - 1))
        .attr("y", (one) => inside(one.most))
        .attr("height", (one) => Math.max(1, inside(one.least) - inside(one.most)));
    groups.append("line")
        .attr("class", "middle")
        .attr("x1", (one) => one.left)
        .attr("x2", (one) => Math.max(one.left + 2, one.right))
        .attr("y1", (one) => inside(one.median))
        .attr("y2", (one) => inside(one.median));
    tip(groups.append("rect")
            .attr("x", (one) => one.left)
            .attr("width", (one) => Math.max(1, one.right - one.left))
            .attr("height", height - bottom)
            .attr("fill", "transparent"),
        (one) => [`begun from ${shownTime(Math.round(edge(one.number)))} to ${
                      shownTime(Math.round(edge(one.number + 1)))}`,
            plural(one.calls, "call"), `longest ${shownTime(one.most)}`,
            `median ${shownTime(one.median)}`, `shortest ${shownTime(one.least)}`]);
    return height;
  };
  const table = () => chartTable(item,
      [
        {key: "from_ns", title: "From", unit: "ns"},
        {key: "calls", title: "Calls", unit: "count", total: "sum", bar: true},
        {key: "least_ns", title: "Shortest", unit: "ns"},
        {key: "median_ns", title: "Median", unit: "ns"},
        {key: "most_ns", title: "Longest", unit: "ns"}
      ],
      at.map((number, index) => [Math.round(edge(number)), calls[index], least[index],
                 median[index], most[index]]));
  const frame = new ChartFrame(item, describe, draw, table);
  frame.box.before(legendOf(
      ["shortest to longest", "median"], (index) => index ? "var(--loss)" : "var(--series-1)"));
  return frame;
}
