// series.js - values in order, as lines, with the median and outliers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {legendOf, seriesColour, unitAxis} from "./chart-marks.js";
import {ChartFrame, chartTable} from "./chart.js";
import {d3} from "./d3.js";
import {cellText, plural, shownName, shownNumber} from "./text.js";
import {tooltip} from "./tooltip.js";

export function makeSeries(item) {
  const {unit = "ns", labels = null, series = [], outliers = [], median = null} = item.data || {};
  const length = Math.max(0, ...series.map((one) => one.values.length));
  const labelOf = (index) =>
      labels && labels[index] !== undefined ? String(labels[index]) : String(index);
  let least = Infinity, most = -Infinity;
  for (const one of series)
    for (const value of one.values)
      if (typeof value === "number") {
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
  const describe = () => most < least ?
      "No values." :
      `${plural(length, "value")} from ${shownNumber(least, unit)} to ${shownNumber(most, unit)}` +
          (median === null ? "" : `, median ${shownNumber(median, unit)}`) +
          (outliers.length ? `, ${plural(outliers.length, "outlier")}` : "");
  const draw = (svg, width) => {
    const height = 190, left = 66, bottom = 26;
    if (most < least) {
      svg.append("text").attr("class", "axis-label").attr("x", 8).attr("y", 18).text("No values.");
      return 30;
    }
    const right = width - 14;
    const x = d3.scaleLinear().domain([0, Math.max(1, length - 1)]).range([left, right]);
    // Starts at zero if that does not hide the differences.
    const low = least >= 0 && least < most * 0.6 ? 0 : least - (most - least) * 0.08;
    const y = d3.scaleLinear().domain([low, most + (most - low) * 0.04 || 1]).nice(4).range([
      height - bottom, 8
    ]);
    svg.append("g")
        .attr("class", "grid")
        .attr("transform", `translate(${left},0)`)
        .call(unitAxis(d3.axisLeft(y), unit, 4).tickSize(-(right - left)));
    const ticks = x.ticks(Math.max(2, Math.floor((right - left) / 90)))
                      .filter((value) => Number.isInteger(value) && value < length);
    svg.append("g")
        .attr("class", "axis")
        .attr("transform", `translate(0,${height - bottom})`)
        .call(d3.axisBottom(x).tickValues(ticks).tickSizeOuter(0).tickFormat(
            (value) => shownName(labelOf(value), 14)));
    if (median !== null)
      svg.append("line")
          .attr("class", "median")
          .attr("x1", left)
          .attr("x2", right)
          .attr("y1", y(median))
          .attr("y2", y(median));
    series.forEach((one, index) => {
      const points = thinPoints(one.values, (right - left) * 2);
      svg.append("path")
          .attr("class", "line")
          .attr("stroke", seriesColour(index))
          .attr("d",
              d3.line()
                  .defined((point) => point[1] !== null)
                  .x((point) => x(point[0]))
                  .y((point) => y(point[1]))(points));
      if (length <= 60)
        svg.append("g")
            .selectAll("circle")
            .data(points.filter((point) => point[1] !== null))
            .enter()
            .append("circle")
            .attr("r", 2)
            .attr("cx", (point) => x(point[0]))
            .attr("cy", (point) => y(point[1]))
            .attr("fill", seriesColour(index));
    });
    const first = series[0] ? series[0].values : [];
    svg.append("g")
        .selectAll("circle")
        .data(outliers.filter((index) => typeof first[index] === "number").slice(0, 500))
        .enter()
        .append("circle")
        .attr("class", "outlier")
        .attr("r", 4.5)
        .attr("cx", (index) => x(index))
        .attr("cy", (index) => y(first[index]));
    const marker = svg.append("line")
                       .attr("class", "marker")
                       .attr("y1", 8)
                       .attr("y2", height - bottom)
                       .attr("visibility", "hidden");
    svg.append("rect")
        .attr("x", left)
        .attr("width", Math.max(0, right - left))
        .attr("height", height)
        .attr("fill", "transparent")
        .on("pointermove",
            function() {
              const index =
                  Math.max(0, Math.min(length - 1, Math.round(x.invert(d3.mouse(this)[0]))));
              marker.attr("visibility", "visible").attr("x1", x(index)).attr("x2", x(index));
              tooltip.show(
                  [
                    labelOf(index),
                    ...series.slice(0, 12).map(
                        (one) => `${one.name}: ${cellText(one.values[index] ?? null, unit)}`),
                    ...(outliers.includes(index) ? ["outlier"] : [])
                  ],
                  d3.event.clientX, d3.event.clientY);
            })
        .on("pointerleave", () => {
          marker.attr("visibility", "hidden");
          tooltip.hide();
        });
    return height;
  };
  const table = () => chartTable(item,
      [
        {key: "label", title: "At", unit: "text"},
        ...series.map((one, index) => ({key: `series_${index}`, title: String(one.name), unit})),
        {key: "outlier", title: "Outlier", unit: "flag"}
      ],
      Array.from({length},
          (_, index) => [labelOf(index), ...series.map((one) => one.values[index] ?? null),
              outliers.includes(index)]));
  const frame = new ChartFrame(item, describe, draw, table);
  if (series.length > 1)
    frame.box.before(legendOf(series.map((one) => one.name), seriesColour));
  return frame;
}

// With many points, the least and the largest of each part, so that peaks stay.
function thinPoints(values, most) {
  if (values.length <= most)
    return values.map((value, index) => [index, typeof value === "number" ? value : null]);
  const points = [];
  const part = Math.ceil(values.length * 2 / most);
  for (let begin = 0; begin < values.length; begin += part) {
    let low = -1, high = -1;
    for (let index = begin; index < Math.min(values.length, begin + part); ++index) {
      if (typeof values[index] !== "number")
        continue;
      if (low < 0 || values[index] < values[low])
        low = index;
      if (high < 0 || values[index] > values[high])
        high = index;
    }
    for (const index of low < high ? [low, high] : [high, low])
      points.push([index < 0 ? begin : index, index < 0 ? null : values[index]]);
  }
  return points;
}
