// chart.js - the frame of most charts, with title, description and table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {d3} from "./d3.js";
import {make, makeButton, makeSvg, whenResized} from "./dom.js";
import {TableView} from "./table-view.js";
import {shownName} from "./text.js";
import {themed} from "./themed.js";

let chartCount = 0;

// A table of a chart's numbers, for readers who cannot see it or want to copy them.
export function chartTable(item, columns, rows, title) {
  return new TableView({title: title || `${item.title || "Chart"}, as a table`, columns, rows},
      {compact: true, plain: true});
}

export class ChartFrame {
  // `draw(svg, width)` returns the height; `table()` makes the TableView, or several.
  constructor(item, describe, draw, table) {
    this.item = item;
    const id = `chart-figure-${++chartCount}`;
    this.titleText = shownName(item.title || "Chart", 160);
    this.description = describe();
    this.svg = makeSvg("svg", {
      role: "img",
      "aria-labelledby": `${id}-title`,
      "aria-describedby": `${id}-text`,
      width: "100%"
    });
    this.box = make("div", {class: "chart-box"}, this.svg);
    this.tableBox = make("div", {hidden: true});
    this.toggle = makeButton("Table", () => this.showTable(this.tableBox.hidden),
        {"aria-pressed": "false", title: "Show the numbers as a table"});
    this.makeTable = table;
    this.draw = draw;
    this.element = make("figure",
        {class: `chart chart-${chartKinds.has(item.kind) ? item.kind : "other"}`, tabindex: "-1"},
        make("figcaption", {},
            make("span", {id: `${id}-title`, class: "chart-title", text: this.titleText}),
            this.toggle),
        make("p", {id: `${id}-text`, class: "unseen", text: this.description}), this.box,
        this.tableBox);
    whenResized(this.box, () => this.render());
    requestAnimationFrame(() => this.render());
    themed.add(this);
  }

  render() {
    this.drawn = true;
    const width = this.box.clientWidth || 640;
    this.svg.replaceChildren(
        makeSvg("title", {text: this.titleText}), makeSvg("desc", {text: this.description}));
    let height = 24;
    try {
      height = this.draw(d3.select(this.svg), width);
    } catch (error) {
      const text = `This chart cannot be drawn: ${shownName(error.message, 200)}`;
      this.svg.replaceChildren(makeSvg("text", {x: 8, y: 16, text}));
    }
    // An image has no parts to reach by keyboard; one with links is a group of them.
    this.svg.setAttribute("role", this.svg.querySelector("a") ? "group" : "img");
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("height", String(height));
  }

  showTable(visible) {
    if (visible && !this.tableBox.firstChild)
      this.tableBox.append(...[this.makeTable()].flat().map((table) => table.element));
    this.tableBox.hidden = !visible;
    this.box.hidden = visible;
    this.toggle.setAttribute("aria-pressed", String(visible));
  }
}

const chartKinds = new Set([
  "waterfall", "histogram", "bars", "series", "flame", "timeline", "roofline", "ranks", "spread"
]);
