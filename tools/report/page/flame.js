// flame.js - the flame graph: zoom, breadcrumbs, search, views, by mouse and keyboard.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {remember, remembered} from "./browser.js";
import {announce, make, makeButton, styleValue, whenResized} from "./dom.js";
import {MonoFont, nameColour} from "./event-colours.js";
import {FlameLayout} from "./flame-layout.js";
import {shownLabel} from "./splits.js";
import {setState, stateValue} from "./state.js";
import {TableView} from "./table-view.js";
import {makeMatcher, plural, shownName, shownTime} from "./text.js";
import {themed} from "./themed.js";
import {later, oncePerFrame} from "./timing.js";
import {tooltip} from "./tooltip.js";
import {checkUnpacked} from "./unpack.js";

const FlameRow = 19;

export class FlameChart {
  constructor(item) {
    this.item = item;
    this.id = item.key || null;
    this.views = (item.data && item.data.views) || [];
    this.views.forEach(checkUnpacked);
    this.layouts = new Map();
    this.view = 0;
    this.root = -1;
    this.active = -1;
    this.hover = -1;
    this.upsideDown = remembered("flame", "icicle") === "flame";
    this.query = "";
    this.common = stateValue("q") || "";
    const saved = /^(\d+)\.(-?\d+)$/.exec((this.id && stateValue(`flame.${this.id}`)) || "");
    if (saved && this.views[Number(saved[1])]) {
      this.view = Number(saved[1]);
      this.root = Number(saved[2]) < this.layout().size ? Number(saved[2]) : -1;
    }
    this.build();
    themed.add(this);
  }

  layout() {
    if (!this.layouts.has(this.view))
      this.layouts.set(
          this.view, new FlameLayout(this.views[this.view] || {parent: [], name: [], self: []}));
    return this.layouts.get(this.view);
  }

  build() {
    const title = shownName(this.item.title || "Flame graph", 160);
    this.crumbs = make("nav", {class: "crumbs", "aria-label": "Zoomed to"});
    this.found = make("span", {class: "count"});
    this.filter = make("input", {
      type: "search",
      class: "filter",
      placeholder: "Find names, or /regex/",
      "aria-label": `Find names in ${title}`,
      spellcheck: "false",
      autocomplete: "off"
    });
    this.filter.addEventListener("input", later(80, () => {
      this.query = this.filter.value;
      this.seek();
    }));
    this.orientation = makeButton(this.upsideDown ? "Icicle" : "Flame", () => this.turn(),
        {title: "Turn the graph upside down"});
    this.toggle =
        makeButton("Table", () => this.showTable(this.tableBox.hidden), {"aria-pressed": "false"});
    this.tabs = make("span", {class: "choices", role: "group", "aria-label": "View"},
        ...(this.views.length > 1 ?
                this.views.map(
                    (view, index) => makeButton(shownName(view.title || `View ${index + 1}`, 40),
                        () => this.setView(index), {"aria-pressed": String(index === this.view)})) :
                []));
    this.canvas = make("canvas", {
      class: "flame",
      tabindex: "0",
      role: "application",
      "aria-roledescription": "flame graph",
      "aria-label": `${title}. Arrow keys move, Enter zooms in, Backspace zooms out, 0 shows all.`
    });
    this.box = make("div", {class: "chart-box"}, this.canvas);
    this.tableBox = make("div", {hidden: true});
    this.element = make("figure", {class: "chart chart-flame", tabindex: "-1"},
        make("figcaption", {}, make("span", {class: "chart-title", text: title}), this.found,
            this.filter, this.tabs, this.orientation, this.toggle),
        this.crumbs, this.box, this.tableBox);
    this.canvas.addEventListener("click", (event) => this.zoom(this.at(event)));
    this.canvas.addEventListener("pointermove", (event) => this.hovered(event));
    this.canvas.addEventListener("pointerleave", () => {
      this.hover = -1;
      tooltip.hide();
      this.draw();
    });
    this.canvas.addEventListener("keydown", (event) => this.pressed(event));
    this.draw = oncePerFrame(() => this.paint());
    whenResized(this.box, () => this.render());
    this.seek();
    requestAnimationFrame(() => this.render());
  }

  setView(index) {
    this.view = index;
    this.root = this.active = -1;
    this.tabs.querySelectorAll("button").forEach(
        (button, place) => button.setAttribute("aria-pressed", String(place === index)));
    this.tableBox.replaceChildren();
    if (!this.tableBox.hidden)
      this.showTable(true);
    this.save();
    this.seek();
    this.render();
  }

  turn() {
    this.upsideDown = !this.upsideDown;
    this.orientation.textContent = this.upsideDown ? "Icicle" : "Flame";
    remember("flame", this.upsideDown ? "flame" : "icicle");
    this.draw();
  }

  save() {
    if (this.id)
      setState(
          `flame.${this.id}`, this.view || this.root >= 0 ? `${this.view}.${this.root}` : null);
  }

  seek() {
    const layout = this.layout();
    const tests = [makeMatcher(this.query), makeMatcher(this.common)].filter(
        (test) => typeof test === "function");
    this.matches = null;
    this.found.textContent = "";
    if (tests.length) {
      this.matches = layout.names.matching(tests);
      // Time within matches, each moment counted once.
      let time = 0, nodes = 0;
      for (let node = 0; node < layout.size; ++node)
        if (this.matches[layout.name[node]]) {
          time += layout.value[node];
          node = layout.last[node];
          ++nodes;
        }
      this.found.textContent = `${nodes ? shownTime(time) : "nothing"} found${
          layout.total ? `, ${(time / layout.total * 100).toFixed(1)}%` : ""}`;
    }
    if (this.draw)
      this.draw();
  }

  zoom(node) {
    const layout = this.layout();
    // A second click on a node that fills the width zooms out by one.
    this.root = node === this.root && node >= 0 ? layout.parent[node] : node;
    this.active = this.root;
    this.save();
    this.render();
    announce(this.root < 0 ? "All" : this.describe(this.root).join(", "));
  }

  describe(node) {
    const layout = this.layout();
    const share = layout.total ? `, ${(layout.value[node] / layout.total * 100).toFixed(1)}%` : "";
    return [
      layout.nameOf(node), `${shownTime(layout.value[node])}${share}`,
      `self ${shownTime(layout.self[node] || 0)}`,
      ...(layout.count[node] !== undefined ? [plural(layout.count[node], "call")] : [])
    ];
  }

  render() {
    const layout = this.layout();
    this.crumbs.replaceChildren();
    this.crumbs.hidden = this.root < 0;
    if (this.root >= 0)
      for (const node of [-1, ...layout.ancestors(this.root)])
        this.crumbs.append(makeButton(node < 0 ? "all" : shownName(layout.nameOf(node), 40), () => {
          if (node !== this.root)
            this.zoom(node);
        }, {class: "crumb", "aria-current": node === this.root ? "true" : null}));
    this.paint();
  }

  colours() {
    if (this.palette && this.paletteOf === styleValue("--series-1"))
      return this.palette;
    this.paletteOf = styleValue("--series-1");
    this.palette = {
      text: styleValue("--on-event"),
      back: styleValue("--surface"),
      edge: styleValue("--accent"),
      faint: styleValue("--fill"),
      muted: styleValue("--text-2")
    };
    return this.palette;
  }

  paint() {
    const layout = this.layout();
    const width = this.box.clientWidth || 640;
    const ratio = window.devicePixelRatio || 1;
    const root = this.root;
    const begin = root < 0 ? 0 : layout.begin[root];
    const span = (root < 0 ? layout.total : layout.value[root]) || 1;
    const least = span / width * 0.4;
    const above = root < 0 ? 0 : layout.depth[root];
    const rows = Math.min(200, layout.depthBelow(root, least) + 1 + above);
    const height = Math.max(1, rows) * FlameRow + 2;
    this.canvas.style.height = `${height}px`;
    if (this.canvas.width !== Math.round(width * ratio) ||
        this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    const context = this.canvas.getContext("2d");
    const palette = this.colours();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = `11px ${MonoFont}`;
    context.textBaseline = "middle";
    this.boxes = [];
    const put = (node, left, right, depth) => {
      const top = this.upsideDown ? height - (depth + 1) * FlameRow - 1 : depth * FlameRow + 1;
      const wide = right - left;
      this.boxes.push([node, left, right, top]);
      const faint = this.matches && !this.matches[layout.name[node]];
      context.fillStyle = faint ? palette.faint : nameColour(layout.nameOf(node));
      context.fillRect(left, top, Math.max(0.4, wide - (wide > 3 ? 1 : 0)), FlameRow - 1);
      if (node === this.active || node === this.hover) {
        context.strokeStyle = palette.edge;
        context.lineWidth = 2;
        context.strokeRect(left + 1, top + 1, Math.max(1, wide - 3), FlameRow - 3);
      }
      if (wide > 28) {
        context.fillStyle = faint ? palette.muted : palette.text;
        const name = layout.nameOf(node);
        context.fillText(shownLabel(name, Math.floor((wide - 8) / 6.7), layout.splits.at(name)),
            left + 4, top + FlameRow / 2);
      }
    };
    if (root >= 0)
      layout.ancestors(root).slice(0, -1).forEach((node, depth) => put(node, 0, width, depth));
    layout.visit(root, least, (node) => {
      const left = (layout.begin[node] - begin) / span * width;
      if (layout.depth[node] < 200)
        put(node, left, left + layout.value[node] / span * width, layout.depth[node]);
    });
    if (!layout.size) {
      context.fillStyle = palette.muted;
      context.fillText("Nothing was recorded.", 8, FlameRow / 2);
    }
  }

  at(event) {
    const x = event.offsetX, y = event.offsetY;
    for (const [node, left, right, top] of this.boxes || [])
      if (x >= left && x < right && y >= top && y < top + FlameRow)
        return node;
    return -1;
  }

  hovered(event) {
    const node = this.at(event);
    if (node !== this.hover) {
      this.hover = node;
      this.draw();
    }
    if (node >= 0)
      tooltip.show(this.describe(node), event.clientX, event.clientY);
    else
      tooltip.hide();
  }

  pressed(event) {
    const layout = this.layout();
    const active = this.active < 0 ? (layout.roots[0] ?? -1) : this.active;
    const siblings = () =>
        layout.parent[active] < 0 ? layout.roots : this.childrenOf(layout.parent[active]);
    const beside = (by) => {
      const all = siblings();
      return all[Math.max(0, Math.min(all.length - 1, all.indexOf(active) + by))];
    };
    const deeper = () =>
        this.childrenOf(active).sort((a, b) => layout.value[b] - layout.value[a])[0];
    let to;
    switch (event.key) {
      case "ArrowLeft": to = beside(-1); break;
      case "ArrowRight": to = beside(1); break;
      case "ArrowDown": to = this.upsideDown ? layout.parent[active] : deeper(); break;
      case "ArrowUp": to = this.upsideDown ? deeper() : layout.parent[active]; break;
      case "Enter": this.zoom(active); break;
      case "Backspace": this.zoom(this.root >= 0 ? layout.parent[this.root] : -1); break;
      case "0": this.zoom(-1); break;
      default: return;
    }
    event.preventDefault();
    if (to === undefined || to < 0)
      return;
    this.active = this.active < 0 ? active : to;
    announce(this.describe(this.active).join(", "));
    this.draw();
  }

  childrenOf(node) {
    const layout = this.layout();
    const children = [];
    for (let child = node + 1; child <= layout.last[node]; child = layout.last[child] + 1)
      children.push(child);
    return children;
  }

  showTable(visible) {
    if (visible && !this.tableBox.firstChild) {
      const layout = this.layout();
      const column = (cellOf) => Array.from({length: layout.size}, (_, node) => cellOf(node));
      this.tableBox.append(new TableView({
        title: `${this.item.title || "Flame graph"}, as a table`,
        arrays: [
          column((node) => layout.names.cell(layout.name[node])), Array.from(layout.value),
          column((node) => layout.self[node] || 0), column((node) => layout.count[node] ?? null),
          column((node) => layout.total ? layout.value[node] / layout.total * 100 : null)
        ],
        depth: Array.from(layout.depth),
        columns: [
          {key: "name", title: "Name", unit: "name", texts: layout.names.packed},
          {key: "total_ns", title: "Total", unit: "ns", bar: true, total: "sum"},
          {key: "self_ns", title: "Self", unit: "ns"},
          {key: "calls", title: "Calls", unit: "count"},
          {key: "share", title: "Share", unit: "percent"}
        ]
      },
          {compact: true, plain: true})
              .element);
    }
    this.tableBox.hidden = !visible;
    this.box.hidden = visible;
    this.toggle.setAttribute("aria-pressed", String(visible));
  }
}
