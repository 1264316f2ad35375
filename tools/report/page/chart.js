// chart.js - what all charts share: a figure with its title, its description, and its table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

let chartCount = 0;

// A table of a chart's numbers, for those who do not see it or want to copy them.
function chartTable(item, columns, rows, title) {
  return new TableView({title: title || `${item.title || "Chart"}, as a table`, columns, rows},
      {compact: true, plain: true});
}

class ChartFrame {
  // `draw(svg, width)` returns the height; `table()` makes the TableView.
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
    // A picture has no parts to reach by keyboard; one with links is a group of them.
    this.svg.setAttribute("role", this.svg.querySelector("a") ? "group" : "img");
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("height", String(height));
  }

  showTable(visible) {
    if (visible && !this.tableBox.firstChild)
      this.tableBox.append(this.makeTable().element);
    this.tableBox.hidden = !visible;
    this.box.hidden = visible;
    this.toggle.setAttribute("aria-pressed", String(visible));
  }
}

const chartKinds = new Set([
  "waterfall", "histogram", "bars", "series", "flame", "timeline", "roofline", "ranks", "spread"
]);

// Charts that are drawn with colours read from the style: drawn anew when these change.
const themed = {
  all: new Set(),
  add(chart) { this.all.add(chart); },
  forget() {
    for (const chart of this.all)
      if (!chart.element.isConnected && chart.drawn)
        this.all.delete(chart);
  },
  redraw() {
    for (const chart of this.all)
      if (chart.element.isConnected)
        chart.render();
      else
        this.all.delete(chart);
  },
};

// Told apart also by those who see few colours (after Okabe and Ito), on either background.
const SeriesColours = [
  "--series-1", "--series-2", "--series-3", "--series-4", "--series-5", "--series-6", "--series-7",
  "--series-8"
];

function seriesColour(index) { return `var(${SeriesColours[index % SeriesColours.length]})`; }

// Time without work is grey and hatched wherever it is drawn.
function partColour(part, index) {
  return isWaiting(partKind(part)) ? `var(--${partKind(part)})` : seriesColour(index);
}

function partKind(part) { return /^idle/i.test(part) ? "idle" : /^wait/i.test(part) ? "wait" : ""; }

// Lines of a tooltip as one for who hears the page: names are cut, and show what cannot be seen.
function spokenLines(lines) { return lines.map((line) => shownName(line, 120)).join(", "); }

function textWidth(text) { return text.length * 6.6; }

// Of a logarithmic scale, so many at most: powers of ten, of which there are few 1, 2 and 5 of
// each.
function logTicks([least, greatest], most) {
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

// Axis ticks of times: steps of 1, 2, 5 in the unit that fits.
function unitAxis(axis, unit, count) {
  return axis.ticks(count).tickSizeOuter(0).tickFormat((value) => shownTick(value, unit));
}

function shownTick(value, unit) {
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

function legendOf(names, colourOf) {
  return make("ul", {class: "legend"}, ...names.map((name, index) => {
    const swatch = make("span", {class: "swatch", "aria-hidden": "true"});
    swatch.style.background = colourOf(index);
    return make("li", {}, swatch, makeName(name, 60));
  }));
}
