// timeline.js - the timeline: lanes in groups, the part in view, and how it is painted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {remember, remembered} from "./browser.js";
import {legendOf} from "./chart-marks.js";
import {d3} from "./d3.js";
import {announce, make, makeButton, makeName, styleValue, whenResized} from "./dom.js";
import {
  cssOfPixel,
  EventColours,
  isWaiting,
  KindColours,
  mixed,
  waitStrength
} from "./event-colours.js";
import {Splits} from "./splits.js";
import {readSpan, setState, stateValue} from "./state.js";
import {TableView} from "./table-view.js";
import {
  exactTime,
  makeMatcher,
  plural,
  shownName,
  shownProse,
  shownTime,
  tooltipText
} from "./text.js";
import {Names} from "./texts.js";
import {themed} from "./themed.js";
import {showMatch} from "./timeline-choice.js";
import {decodeTimeline} from "./timeline-data.js";
import {attachTimelineInput} from "./timeline-input.js";
import {LeastSpan, TrackHeight} from "./timeline-measures.js";
import {timelinePaint} from "./timeline-paint.js";
import {sumsTable} from "./timeline-sums.js";
import {later, oncePerFrame} from "./timing.js";
import {tooltip, withTooltip} from "./tooltip.js";
import {checkUnpacked} from "./unpack.js";

const LanePadding = 5, GroupHeight = 22;
const TimelineKeys = "w and s zoom, a and d move, arrow keys go from event to event, " +
    "n and p to matches, 0 shows all. The sums of the visible part are in the table below.";

export class TimelineChart {
  constructor(item) {
    this.item = item;
    this.id = item.key || null;
    this.data = item.data || {};
    checkUnpacked(this.data);
    this.names = new Names(this.data.names, Boolean(this.data.packed));
    const kinds = (this.data.kinds || []).map(String), kindOf = this.data.name_kind || [];
    this.splits = new Splits(this.names.all());
    this.kinds =
        Array.from({length: this.names.length}, (_, index) => kinds[kindOf[index]] ?? "other");
    this.lanes = [];
    this.rows = [];
    this.closed = new Set();
    this.whole = {
      begin: this.data.begin_ns || 0,
      end: Math.max(this.data.end_ns || 0, (this.data.begin_ns || 0) + LeastSpan)
    };
    this.view = Object.assign({}, this.id && readSpan(`time.${this.id}`) || this.whole);
    this.range = this.id ? readSpan(`range.${this.id}`) : null;
    this.selected = null;
    this.hover = null;
    this.query = "";
    this.common = stateValue("q") || "";
    this.byName = remembered("timeline-colours", "kind") === "name";
    this.ready = false;
    this.paintSoon = oncePerFrame(() => this.paint());
    this.sumSoon = later(220, () => this.showSums());
    this.saveSoon = later(200, () => this.save());
    this.build();
    themed.add(this);
    this.clampView();
    this.loading = this.load();
  }

  build() {
    const title = shownName(this.item.title || "Timeline", 160);
    this.found = make("span", {class: "count"});
    this.filter = make("input", {
      type: "search",
      class: "filter",
      placeholder: "Find names, or /regex/",
      "aria-label": `Find events in ${title}`,
      spellcheck: "false",
      autocomplete: "off"
    });
    this.filter.addEventListener("input", later(80, () => {
      this.query = this.filter.value;
      this.seek();
    }));
    this.filter.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        this.nextMatch(event.shiftKey ? -1 : 1);
        event.preventDefault();
      } else if (event.key === "Escape" && this.filter.value) {
        this.setQuery("");
        event.stopPropagation();
      }
    });
    const button = (text, label, action) =>
        makeButton(text, action, {"aria-label": label, title: label});
    this.colourButton = makeButton(this.byName ? "Colours: name" : "Colours: kind",
        () => this.changeColours(), {title: "Colour events by their kind or by their name"});
    this.tools = make("span", {class: "buttons"},
        button("◂", "Previous match (p)", () => this.nextMatch(-1)),
        button("▸", "Next match (n)", () => this.nextMatch(1)),
        button("+", "Zoom in (w)", () => this.zoom(0.5)),
        button("−", "Zoom out (s)", () => this.zoom(2)),
        button("All", "Show all (0)", () => this.setView(this.whole)), this.colourButton);
    this.overview = make("canvas", {class: "overview", "aria-hidden": "true"});
    this.ruler = make("canvas", {class: "ruler", "aria-hidden": "true"});
    this.canvas = make("canvas", {
      class: "lanes",
      tabindex: "0",
      role: "application",
      "aria-roledescription": "timeline",
      "aria-label": `${title}. ${TimelineKeys}`
    });
    this.labels = make("div", {class: "lane-labels"});
    this.inner = make("div", {class: "timeline-inner"}, this.labels,
        make("div", {class: "lane-area"}, this.canvas));
    this.scroll = make("div", {class: "timeline-scroll"}, this.inner);
    this.rangeText = make("span", {class: "range-text"});
    this.rangeTools = make("span", {class: "buttons", hidden: true},
        makeButton("Zoom to it", () => this.fitRange(), {title: "Zoom to the range (f)"}),
        makeButton("Clear", () => this.setRange(null), {title: "Clear the range (Esc)"}));
    this.legend = make("div");
    this.progress = make("p", {class: "loading", role: "status"}, "Unpacking events …");
    this.frame = make("div", {class: "timeline-frame"},
        make("div", {class: "timeline-top"},
            make("span", {class: "corner", text: "drag on the ruler: a range"}),
            make("div", {class: "timeline-axes"}, this.overview, this.ruler)),
        this.scroll);
    this.sums = make("div", {class: "timeline-sums"});
    this.element = make("figure", {class: "chart chart-timeline", tabindex: "-1"},
        make("figcaption", {}, make("span", {class: "chart-title", text: title}), this.found,
            this.filter, this.tools),
        this.legend, this.progress, this.frame,
        this.data.left_out ? make("p", {class: "note", text: shownProse(this.data.left_out)}) :
                             null,
        make("p", {class: "range-line"}, this.rangeText, this.rangeTools), this.sums);
    this.scroll.addEventListener("scroll", () => {
      this.hover = null;
      this.paintSoon();
    }, {passive: true});
    whenResized(this.scroll, () => this.paintSoon());
    attachTimelineInput(this);
  }

  async load() {
    try {
      this.lanes = await decodeTimeline(this.data, (share) => {
        this.progress.textContent = `Unpacking events … ${Math.round(share * 100)}%`;
      });
    } catch (error) {
      this.progress.textContent = `The timeline cannot be shown: ${shownName(error.message, 200)}`;
      return;
    }
    this.progress.remove();
    this.ready = true;
    this.layOut();
    this.seek();
    this.render();
    this.showSums();
    performance.mark("seamscope-timeline-ready");
    this.element.dataset.ready = "true";
  }

  // What the colours mean: shades distinguish names; when coloured by name, all colours do.
  showLegend() {
    const used = new Set();
    for (const events of this.lanes)
      for (let event = 0; event < events.count; ++event)
        used.add(this.kinds[events.name[event]]);
    const kinds = [...used].filter((kind) => !this.byName || isWaiting(kind));
    const legend = legendOf(kinds, (index) => {
      const shades = (KindColours[kinds[index]] || KindColours.other)
                         .map((colour) => mixed(colour, this.back, waitStrength(kinds[index])))
                         .map(cssOfPixel);
      const share = 100 / shades.length;
      return `linear-gradient(90deg, ${
          shades.map((shade, at) => `${shade} ${at * share}% ${(at + 1) * share}%`).join(", ")})`;
    });
    [...legend.children].forEach(
        (entry, index) => entry.firstChild.classList.toggle("hatched", isWaiting(kinds[index])));
    if (this.byName)
      legend.prepend(make("li", {text: "each name has its colour"}));
    this.legend.replaceChildren(...(used.size ? [legend] : []));
  }

  // Groups and lanes from top to bottom, with their labels.
  layOut() {
    this.rows = [];
    this.labels.replaceChildren();
    const groups = new Map();
    this.lanes.forEach((events, index) => {
      const group = String(events.lane.group || "");
      if (!groups.has(group))
        groups.set(group, []);
      groups.get(group).push(index);
    });
    let top = 0;
    const add = (row, label) => {
      row.top = top;
      top += row.height;
      label.style.height = `${row.height}px`;
      this.rows.push(row);
      this.labels.append(label);
    };
    for (const [group, members] of groups) {
      const closed = this.closed.has(group);
      const label = makeButton("", () => this.toggleGroup(group),
          {class: "group-label", "aria-expanded": String(!closed), title: tooltipText(group)});
      label.append(make("span", {"aria-hidden": "true", text: closed ? "▸ " : "▾ "}),
          makeName(group || "events", 60),
          make("span", {class: "faint", text: ` ${plural(members.length, "lane")}`}));
      add({group: true, height: GroupHeight, lanes: members, closed}, label);
      if (closed)
        continue;
      for (const lane of members) {
        const events = this.lanes[lane];
        const height = Math.max(1, events.tracks.length) * TrackHeight + LanePadding;
        const element = make("div", {class: "lane-label"}, makeName(events.lane.title || "", 60));
        withTooltip(element,
            () => [events.lane.title || "", plural(events.count, "event"),
                String(events.lane.kind || "")]);
        add({lane, height}, element);
      }
    }
    if (!this.rows.length) {
      this.labels.append(make("div", {class: "lane-label", text: "no events"}));
      top = 40;
    }
    this.height = top;
    this.inner.style.height = `${top}px`;
  }

  toggleGroup(group) {
    const index = [...this.labels.querySelectorAll(".group-label")].indexOf(document.activeElement);
    if (!this.closed.delete(group))
      this.closed.add(group);
    this.layOut();
    this.render();
    const labels = this.labels.querySelectorAll(".group-label");
    if (index >= 0 && labels[index])
      labels[index].focus();
  }

  // Called when the theme or the size changed.
  render() {
    if (!this.ready)
      return;
    this.back = readColour("--surface");
    this.band = readColour("--fill");
    this.colours =
        new EventColours(this.names, this.kinds, this.back, readColour("--text-2"), this.byName);
    this.style = {
      text: styleValue("--text-2"),
      line: styleValue("--line"),
      accent: styleValue("--accent"),
      shade: styleValue("--shade"),
      strong: styleValue("--text")
    };
    this.overviewImage = null;
    this.showLegend();
    this.paintSoon();
  }

  changeColours() {
    this.byName = !this.byName;
    remember("timeline-colours", this.byName ? "name" : "kind");
    this.colourButton.textContent = this.byName ? "Colours: name" : "Colours: kind";
    this.render();
  }

  clampView() {
    const {whole, view} = this;
    const span = Math.max(LeastSpan, Math.min(view.end - view.begin, whole.end - whole.begin));
    view.begin = Math.max(whole.begin, Math.min(view.begin, whole.end - span));
    view.end = view.begin + span;
  }

  setView(view) {
    this.view = {begin: view.begin, end: view.end};
    this.clampView();
    this.hover = null;
    tooltip.hide();
    this.paintSoon();
    this.saveSoon();
    if (!this.range)
      this.sumSoon();
  }

  save() {
    if (!this.id)
      return;
    const {view, whole, range} = this;
    const all = view.begin <= whole.begin && view.end >= whole.end;
    setState(`time.${this.id}`, all ? null : `${Math.round(view.begin)}-${Math.round(view.end)}`);
    setState(
        `range.${this.id}`, range ? `${Math.round(range.begin)}-${Math.round(range.end)}` : null);
  }

  // Zooms around a time; without one, around the middle.
  zoom(factor, about) {
    const {begin, end} = this.view;
    const at = about === undefined ? (begin + end) / 2 : about;
    const span = Math.max(LeastSpan, (end - begin) * factor);
    const left = at - (at - begin) / (end - begin) * span;
    this.setView({begin: left, end: left + span});
  }

  pan(share) {
    const by = (this.view.end - this.view.begin) * share;
    this.setView({begin: this.view.begin + by, end: this.view.end + by});
  }

  setRange(range) {
    this.range = range && range.end > range.begin ?
        {begin: Math.round(range.begin), end: Math.round(range.end)} :
        null;
    this.paintSoon();
    this.saveSoon();
    this.sumSoon();
  }

  fitRange() {
    if (this.range) {
      const margin = (this.range.end - this.range.begin) * 0.05;
      this.setView({begin: this.range.begin - margin, end: this.range.end + margin});
    }
  }

  showSums() {
    if (!this.ready)
      return;
    const {begin, end} = this.range || this.view;
    const what = this.range ? "Range" : "In view";
    this.rangeText.textContent =
        `${what}: ${exactTime(begin)} to ${exactTime(end)}, ${shownTime(Math.round(end - begin))}`;
    this.rangeTools.hidden = !this.range;
    if (this.range)
      announce(this.rangeText.textContent);
    const id = this.id ? `${this.id}-sums` : null;
    const view = new TableView(
        sumsTable(this, begin, end, this.range ? "Sums of the range" : "Sums of the part in view"),
        {id, onRow: (table, row) => this.setQuery(this.names.at(table.model.spec.names[row]))});
    const focused = this.sums.contains(document.activeElement);
    this.sums.replaceChildren(view.element);
    if (focused)
      view.grid.focus();
    this.sumsView = view;
  }

  setQuery(query) {
    this.query = query.slice(0, 1000);
    this.filter.value = this.query;
    this.seek();
  }

  seek() {
    const tests = [makeMatcher(this.query), makeMatcher(this.common)].filter(
        (test) => typeof test === "function");
    this.matches = null;
    let text = "";
    if (tests.length && this.ready) {
      this.matches = this.names.matching(tests);
      let count = 0;
      for (const events of this.lanes)
        for (let event = 0; event < events.count; ++event)
          count += this.matches[events.name[event]];
      text = `${plural(count, "event")} found`;
    }
    this.found.textContent = text;
    this.paintSoon();
  }

  nextMatch(direction) { showMatch(this, direction); }
}

Object.assign(TimelineChart.prototype, timelinePaint);

function readColour(name) {
  const colour = d3.rgb(styleValue(name));
  return [colour.r, colour.g, colour.b];
}
