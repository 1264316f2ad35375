// ranks.js - ranks side by side: the parts of their wall time on one scale.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {
  hatchPath,
  legendOf,
  partColour,
  partKind,
  spokenLines,
  textWidth,
  tip,
  unitAxis
} from "./chart-marks.js";
import {ChartFrame, chartTable} from "./chart.js";
import {d3} from "./d3.js";
import {make, makeButton} from "./dom.js";
import {isWaiting} from "./event-colours.js";
import {plural, shownCount, shownName, shownTime} from "./text.js";
import {tooltip} from "./tooltip.js";

const RanksAsRows = 40;  // with more, all are in a strip, and rows show both ends of the order
const RanksAtEachEnd = 10;

function rankOrders(rows) {
  const by = (compare) => () =>
      rows.map((row, index) => index).sort((a, b) => compare(rows[a], rows[b]) || a - b);
  const orders = [["By rank", by(() => 0)]];
  // A rank that the others wait for, and that waits least itself, is late.
  if (rows.some((row) => row.caused_ns !== null))
    orders.push(["Latest first", by((a, b) => b.caused_ns - a.caused_ns || a.wait_ns - b.wait_ns)]);
  orders.push(["Longest first", by((a, b) => b.wall_ns - a.wall_ns)]);
  return orders;
}

function rankLines(row, parts) {
  const lines =
      [row.mark ? `${row.label}: ${row.mark}` : row.label, `wall time ${shownTime(row.wall_ns)}`];
  if (!row.values)
    return [...lines, "what it did is unknown"];
  lines.push(...parts.map((part, index) => `${part}: ${shownTime(row.values[index])}` +
          (row.wall_ns ? `, ${(row.values[index] / row.wall_ns * 100).toFixed(1)}%` : "")));
  if (row.caused_ns !== null)
    lines.push(`in collectives it waited ${shownTime(row.wait_ns)}, the others ${
        shownTime(row.caused_ns)} for it`);
  return lines;
}

// One row: its name, the stacked parts, the wall time and what makes it stand out.
function drawRank(svg, row, parts, x, top, size) {
  const label = x.range()[0];
  const group = svg.append("g").attr("class", "rank").attr("transform", `translate(0,${top})`);
  const text = (kind, at, words) => group.append("text")
                                        .attr("class", kind)
                                        .attr("x", at)
                                        .attr("y", size / 2)
                                        .attr("dy", "0.35em")
                                        .text(words);
  text("axis-label", label - 8, shownName(row.label, Math.max(6, Math.floor((label - 12) / 6.6))))
      .attr("text-anchor", "end");
  let at = 0;
  (row.values || []).forEach((value, part) => {
    const left = x(at), right = x(at + value);
    group.append("rect")
        .attr("class", "part")
        .attr("x", left)
        .attr("width", Math.max(0, right - left))
        .attr("y", 3)
        .attr("height", size - 6)
        .attr("fill", partColour(parts[part], part));
    if (isWaiting(partKind(parts[part])) && right - left > 4)
      group.append("path").attr("class", "hatching").attr("d", hatchPath(left, right, 3, size - 3));
    at += value;
  });
  if (!row.values || row.mark)
    group.append("rect")
        .attr("class", row.values ? "outstanding" : "outline")
        .attr("x", label)
        .attr("width", Math.max(1, x(row.wall_ns) - label))
        .attr("y", 1.5)
        .attr("height", size - 3);
  const end = x(row.wall_ns) + 6;
  const value = row.values ? shownTime(row.wall_ns) :
      row.wall_ns          ? `unknown, ${shownTime(row.wall_ns)}` :
                             "unknown";
  text("value-label", end, value);
  if (row.mark)
    text("rank-mark", end + textWidth(value) + 6, `◀ ${row.mark}`);
  tip(group.append("rect")
          .attr("width", x.range()[1])
          .attr("height", size)
          .attr("fill", "transparent"),
      () => rankLines(row, parts));
}

// All ranks as columns, for the shape of the whole.
function drawRankStrip(svg, rows, order, parts, width) {
  const height = 150, left = 66, top = 16, bottom = 24;
  const x = d3.scaleLinear().domain([0, order.length]).range([left, width - 14]);
  const y = d3.scaleLinear().domain([0, d3.max(rows, (row) => row.wall_ns) || 1]).range([
    height - bottom, top
  ]);
  svg.append("g")
      .attr("class", "grid")
      .attr("transform", `translate(${left},0)`)
      .call(unitAxis(d3.axisLeft(y), "ns", 3).tickSize(-(width - 14 - left)));
  const paths = parts.map(() => "");
  order.forEach((rank, column) => {
    let at = 0;
    (rows[rank].values || []).forEach((value, part) => {
      paths[part] += `M${x(column)} ${y(at)}H${x(column + 1)}V${y(at + value)}H${x(column)}Z`;
      at += value;
    });
  });
  paths.forEach((path, part) => svg.append("path")
                    .attr("class", "strip")
                    .attr("fill", partColour(parts[part], part))
                    .attr("d", path));
  order.forEach((rank, column) => {
    if (rows[rank].mark)
      svg.append("text")
          .attr("class", "rank-mark")
          .attr("x", x(column + 0.5))
          .attr("y", top - 4)
          .attr("text-anchor", column * 2 < order.length ? "start" : "end")
          .text(column * 2 < order.length ? `▼ ${rows[rank].label}, ${rows[rank].mark}` :
                                            `${rows[rank].label}, ${rows[rank].mark} ▼`);
  });
  const ends = [
    [left, "start", rows[order[0]].label], [width - 14, "end", rows[order[order.length - 1]].label]
  ];
  for (const [at, anchor, label] of ends)
    svg.append("text")
        .attr("class", "axis-label")
        .attr("x", at)
        .attr("y", height - 8)
        .attr("text-anchor", anchor)
        .text(shownName(label, 20));
  svg.append("rect")
      .attr("x", left)
      .attr("width", Math.max(0, width - 14 - left))
      .attr("height", height)
      .attr("fill", "transparent")
      .on("pointermove",
          function() {
            const column = Math.floor(x.invert(d3.mouse(this)[0]));
            const rank = order[Math.max(0, Math.min(order.length - 1, column))];
            tooltip.show(rankLines(rows[rank], parts), d3.event.clientX, d3.event.clientY);
          })
      .on("pointerleave", tooltip.hide);
  return height;
}

export function makeRanks(item) {
  const {rows = []} = item.data || {};
  const parts = ((item.data || {}).parts || []).map(String);
  const orders = rankOrders(rows);
  const many = rows.length > RanksAsRows;
  let order = orders[many ? 1 : 0];
  const describe = () => `${plural(rows.length, "rank")}. ` +
      rows.filter((row) => row.mark || !many)
          .slice(0, RanksAsRows)
          .map((row) => spokenLines(rankLines(row, parts)))
          .join("; ");
  const draw = (svg, width) => {
    const size = 22;
    const wanted = order[1]();
    let top = many ? drawRankStrip(svg, rows, wanted, parts, width) + 6 : 0;
    const drawn = many ?
        [...wanted.slice(0, RanksAtEachEnd), null, ...wanted.slice(-RanksAtEachEnd)] :
        wanted;
    const label = Math.min(width * 0.3,
        Math.max(50,
            ...drawn.map(
                (rank) => rank === null ? 0 : textWidth(shownName(rows[rank].label, 40)) + 12)));
    // Room for the time and the text after it.
    const behind = 80 +
        Math.max(0,
            ...drawn.map((rank) => rank === null ? 0 :
                    rows[rank].mark              ? textWidth(`◀ ${rows[rank].mark}`) + 8 :
                                                   0),
            rows.some((row) => !row.values) ? 60 : 0);
    const x = d3.scaleLinear().domain([0, d3.max(rows, (row) => row.wall_ns) || 1]).range([
      label, Math.max(label + 40, width - behind)
    ]);
    for (const rank of drawn) {
      if (rank === null)
        svg.append("text")
            .attr("class", "axis-label")
            .attr("x", label)
            .attr("y", top + size / 2)
            .attr("dy", "0.35em")
            .text(`… ${shownCount(rows.length - 2 * RanksAtEachEnd)} more above and in the table`);
      else
        drawRank(svg, rows[rank], parts, x, top, size);
      top += size;
    }
    return top + 4;
  };
  const table = () => chartTable(item,
      [
        {key: "label", title: "Rank", unit: "name"}, {key: "wall_ns", title: "Wall", unit: "ns"},
        ...parts.map(
            (part, index) => ({key: `part_${index}`, title: part, unit: "ns", total: "sum"})),
        {key: "wait_ns", title: "Waited in collectives", unit: "ns", total: "sum"},
        {key: "caused_ns", title: "Caused waits", unit: "ns", total: "sum"},
        {key: "mark", title: "Stands out", unit: "text"}
      ],
      rows.map((row) => [row.label, row.wall_ns,
                   ...parts.map((part, index) => row.values ? row.values[index] : null),
                   row.wait_ns, row.caused_ns, row.mark || null]));
  const frame = new ChartFrame(item, describe, draw, table);
  if (rows.length > 1) {
    const buttons = orders.map((one) => makeButton(one[0], () => {
      order = one;
      buttons.forEach(
          (button, index) => button.setAttribute("aria-pressed", String(orders[index] === order)));
      frame.render();
    }, {"aria-pressed": String(one === order)}));
    frame.box.before(make("p", {class: "choices"}, ...buttons));
  }
  frame.box.before(legendOf(parts, (index) => partColour(parts[index], index)));
  return frame;
}
