// timeline.js - the timeline: lanes in groups, the part in view, and how it is painted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

const TrackHeight = 16, LanePadding = 5, GroupHeight = 22, OverviewHeight = 34, RulerHeight = 24;
const LeastSpan = 20;              // ns
const LabelsAtMost = 500;

class TimelineChart {
  constructor(item) {
    this.item = item;
    this.id = item.key || null;
    this.data = item.data || {};
    this.names = (this.data.names || []).map(String);
    const kinds = this.data.kinds || [];
    this.kinds = this.names.map((name, index) => String(kinds[(this.data.name_kind || [])[index]] ?? "other"));
    this.lanes = [];
    this.rows = [];
    this.closed = new Set();
    this.whole = { begin: this.data.begin_ns || 0, end: Math.max(this.data.end_ns || 0, (this.data.begin_ns || 0) + LeastSpan) };
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
    this.found = make("span", { class: "count" });
    this.filter = make("input", { type: "search", class: "filter", placeholder: "Find names, or /regex/", "aria-label": `Find events in ${title}`, spellcheck: "false", autocomplete: "off" });
    this.filter.addEventListener("input", later(80, () => { this.query = this.filter.value; this.seek(); }));
    this.filter.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        this.nextMatch(event.shiftKey ? -1 : 1);
        event.preventDefault();
      } else if (event.key === "Escape" && this.filter.value) {
        this.setQuery("");
        event.stopPropagation();
      }
    });
    const button = (text, label, action) => makeButton(text, action, { "aria-label": label, title: label });
    this.colourButton = makeButton(this.byName ? "Colours: name" : "Colours: kind", () => this.changeColours(), { title: "Colour events by their kind or by their name" });
    this.tools = make("span", { class: "buttons" }, button("◂", "Previous match (p)", () => this.nextMatch(-1)), button("▸", "Next match (n)", () => this.nextMatch(1)),
      button("+", "Zoom in (w)", () => this.zoom(0.5)), button("−", "Zoom out (s)", () => this.zoom(2)), button("All", "Show all (0)", () => this.setView(this.whole)), this.colourButton);
    this.overview = make("canvas", { class: "overview", "aria-hidden": "true" });
    this.ruler = make("canvas", { class: "ruler", "aria-hidden": "true" });
    this.canvas = make("canvas", { class: "lanes", tabindex: "0", role: "application", "aria-roledescription": "timeline",
      "aria-label": `${title}. w and s zoom, a and d move, arrow keys go from event to event, n and p to matches, 0 shows all. The sums of the visible part are in the table below.` });
    this.labels = make("div", { class: "lane-labels" });
    this.inner = make("div", { class: "timeline-inner" }, this.labels, make("div", { class: "lane-area" }, this.canvas));
    this.scroll = make("div", { class: "timeline-scroll" }, this.inner);
    this.rangeText = make("span", { class: "range-text" });
    this.rangeTools = make("span", { class: "buttons", hidden: true }, makeButton("Zoom to it", () => this.fitRange(), { title: "Zoom to the range (f)" }),
      makeButton("Clear", () => this.setRange(null), { title: "Clear the range (Esc)" }));
    this.legend = make("div");
    this.progress = make("p", { class: "loading", role: "status" }, "Unpacking events …");
    this.frame = make("div", { class: "timeline-frame" },
      make("div", { class: "timeline-top" }, make("span", { class: "corner", text: "drag on the ruler: a range" }), make("div", { class: "timeline-axes" }, this.overview, this.ruler)), this.scroll);
    this.sums = make("div", { class: "timeline-sums" });
    this.element = make("figure", { class: "chart chart-timeline", tabindex: "-1" },
      make("figcaption", {}, make("span", { class: "chart-title", text: title }), this.found, this.filter, this.tools), this.legend, this.progress, this.frame,
      this.data.left_out ? make("p", { class: "note", text: shownProse(this.data.left_out) }) : null,
      make("p", { class: "range-line" }, this.rangeText, this.rangeTools), this.sums);
    this.scroll.addEventListener("scroll", () => { this.hover = null; this.paintSoon(); }, { passive: true });
    whenResized(this.scroll, () => this.paintSoon());
    attachTimelineInput(this);
  }

  async load() {
    try {
      this.lanes = await decodeTimeline(this.data, (share) => { this.progress.textContent = `Unpacking events … ${Math.round(share * 100)}%`; });
    } catch (error) {
      this.progress.textContent = `The timeline cannot be shown: ${shownName(error.message, 200)}`;
      return;
    }
    this.progress.remove();
    this.ready = true;
    const used = [...new Set(this.lanes.flatMap((events) => [...new Set(events.name)].map((name) => this.kinds[name])))];
    if (used.length) {
      const legend = legendOf(used, (index) => { const [red, green, blue] = (KindColours[used[index]] || KindColours.other)[0]; return `rgb(${red},${green},${blue})`; });
      [...legend.children].forEach((entry, index) => entry.firstChild.classList.toggle("hatched", isWaiting(used[index])));
      this.legend.append(legend);
    }
    this.layOut();
    this.seek();
    this.render();
    this.showSums();
    performance.mark("seamscope-timeline-ready");
    this.element.dataset.ready = "true";
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
      const label = makeButton("", () => this.toggleGroup(group), { class: "group-label", "aria-expanded": String(!closed), title: tooltipText(group) });
      label.append(make("span", { "aria-hidden": "true", text: closed ? "▸ " : "▾ " }), makeName(group || "events", 60), make("span", { class: "faint", text: ` ${plural(members.length, "lane")}` }));
      add({ group: true, height: GroupHeight, lanes: members, closed }, label);
      if (closed)
        continue;
      for (const lane of members) {
        const events = this.lanes[lane];
        const height = Math.max(1, events.tracks.length) * TrackHeight + LanePadding;
        const element = make("div", { class: "lane-label" }, makeName(events.lane.title || "", 60));
        withTooltip(element, () => [events.lane.title || "", plural(events.count, "event"), String(events.lane.kind || "")]);
        add({ lane, height }, element);
      }
    }
    if (!this.rows.length) {
      this.labels.append(make("div", { class: "lane-label", text: "no events" }));
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
    this.colours = new EventColours(this.names, this.kinds, this.back, readColour("--text-2"), this.byName);
    this.style = { text: styleValue("--text-2"), line: styleValue("--line"), accent: styleValue("--accent"), shade: styleValue("--shade"), strong: styleValue("--text") };
    this.overviewImage = null;
    this.paintSoon();
  }

  changeColours() {
    this.byName = !this.byName;
    remember("timeline-colours", this.byName ? "name" : "kind");
    this.colourButton.textContent = this.byName ? "Colours: name" : "Colours: kind";
    this.render();
  }

  clampView() {
    const { whole, view } = this;
    const span = Math.max(LeastSpan, Math.min(view.end - view.begin, whole.end - whole.begin));
    view.begin = Math.max(whole.begin, Math.min(view.begin, whole.end - span));
    view.end = view.begin + span;
  }

  setView(view) {
    this.view = { begin: view.begin, end: view.end };
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
    const { view, whole, range } = this;
    const all = view.begin <= whole.begin && view.end >= whole.end;
    setState(`time.${this.id}`, all ? null : `${Math.round(view.begin)}-${Math.round(view.end)}`);
    setState(`range.${this.id}`, range ? `${Math.round(range.begin)}-${Math.round(range.end)}` : null);
  }

  // Zooms about a time; without one about the middle.
  zoom(factor, about) {
    const { begin, end } = this.view;
    const at = about === undefined ? (begin + end) / 2 : about;
    const span = Math.max(LeastSpan, (end - begin) * factor);
    const left = at - (at - begin) / (end - begin) * span;
    this.setView({ begin: left, end: left + span });
  }

  pan(share) {
    const by = (this.view.end - this.view.begin) * share;
    this.setView({ begin: this.view.begin + by, end: this.view.end + by });
  }

  setRange(range) {
    this.range = range && range.end > range.begin ? { begin: Math.round(range.begin), end: Math.round(range.end) } : null;
    this.paintSoon();
    this.saveSoon();
    this.sumSoon();
  }

  fitRange() {
    if (this.range) {
      const margin = (this.range.end - this.range.begin) * 0.05;
      this.setView({ begin: this.range.begin - margin, end: this.range.end + margin });
    }
  }

  showSums() {
    if (!this.ready)
      return;
    const { begin, end } = this.range || this.view;
    const what = this.range ? "Range" : "In view";
    this.rangeText.textContent = `${what}: ${exactTime(begin)} to ${exactTime(end)}, ${shownTime(Math.round(end - begin))}`;
    this.rangeTools.hidden = !this.range;
    if (this.range)
      announce(this.rangeText.textContent);
    const id = this.id ? `${this.id}-sums` : null;
    const view = new TableView(sumsTable(this, begin, end, this.range ? "Sums of the range" : "Sums of the part in view"), { id, onRow: (table, row) => this.setQuery(this.names[this.nameNumber(table, row)]) });
    const focused = this.sums.contains(document.activeElement);
    this.sums.replaceChildren(view.element);
    if (focused)
      view.grid.focus();
    this.sumsView = view;
  }

  nameNumber(table, row) { return this.names.indexOf(table.model.rows[row][0]); }

  setQuery(query) {
    this.query = query.slice(0, 1000);
    this.filter.value = this.query;
    this.seek();
  }

  seek() {
    const tests = [makeMatcher(this.query), makeMatcher(this.common)].filter((test) => typeof test === "function");
    this.matches = null;
    let text = "";
    if (tests.length && this.ready) {
      this.matches = new Uint8Array(this.names.length);
      this.names.forEach((name, index) => { this.matches[index] = tests.every((test) => test(haystack(name))) ? 1 : 0; });
      let count = 0;
      for (const events of this.lanes)
        for (let event = 0; event < events.count; ++event)
          count += this.matches[events.name[event]];
      text = `${plural(count, "event")} found`;
    }
    this.found.textContent = text;
    this.paintSoon();
  }

  paint() {
    if (!this.ready || !this.element.isConnected || !this.scroll.clientWidth)
      return;
    const begun = performance.now();
    const ratio = window.devicePixelRatio || 1;
    const cssWidth = this.canvas.parentElement.clientWidth, cssHeight = Math.min(this.scroll.clientHeight, this.height);
    const width = Math.max(1, Math.round(cssWidth * ratio)), height = Math.max(1, Math.round(cssHeight * ratio));
    this.fitCanvas(this.canvas, width, height, cssWidth, cssHeight);
    const context = this.canvas.getContext("2d");
    if (!this.image || this.image.width !== width || this.image.height !== height) {
      this.image = context.createImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
      this.line = new Uint32Array(width);
    }
    const labels = [];
    this.rasterRows(width, height, ratio, labels);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.putImageData(this.image, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.paintGrid(context, cssWidth, cssHeight);
    this.paintLabels(context, labels, ratio);
    this.paintMarks(context, cssWidth, cssHeight);
    this.paintRuler(cssWidth, ratio);
    this.paintOverview(cssWidth, ratio);
    // For those who measure.
    this.canvas.dataset.frame = (performance.now() - begun).toFixed(2);
    this.canvas.dataset.view = `${this.view.begin}-${this.view.end}`;
  }

  fitCanvas(canvas, width, height, cssWidth, cssHeight) {
    if (canvas.width !== width)
      canvas.width = width;
    if (canvas.height !== height)
      canvas.height = height;
    canvas.style.width = `${cssWidth}px`;
    canvas.style.height = `${cssHeight}px`;
  }

  rasterRows(width, height, ratio, labels) {
    const { pixels, line, colours, scroll } = this;
    const back = pixel(...this.back), band = pixel(...this.band);
    const view = { begin: this.view.begin, width, perPixel: (this.view.end - this.view.begin) / width };
    pixels.fill(back);
    const offset = scroll.scrollTop;
    for (const row of this.rows) {
      const top = Math.round((row.top - offset) * ratio), bottom = Math.round((row.top + row.height - offset) * ratio);
      if (bottom < 0 || top > height)
        continue;
      if (row.group) {
        line.fill(band);
        if (row.closed)
          this.rasterLoad(row, view, line);
        stampLine(pixels, line, width, height, top, bottom - 1);
        continue;
      }
      const events = this.lanes[row.lane];
      events.tracks.forEach((track, depth) => {
        const from = Math.round((row.top + 2 + depth * TrackHeight - offset) * ratio), to = Math.round((row.top + 2 + (depth + 1) * TrackHeight - offset - 1) * ratio);
        if (to < 0 || from > height)
          return;
        const found = [], hatches = [];
        rasterLine(events, track, view, line, colours, back, this.matches, found, hatches, 30 * ratio);
        stampLine(pixels, line, width, height, from, to);
        if (hatches.length)
          stampHatch(pixels, hatches, width, height, from, to, colours.hatch, ratio);
        for (const label of found)
          labels.push([...label, from]);
      });
    }
  }

  rasterLoad(row, view, line) {
    const load = new Float32Array(view.width);
    for (const lane of row.lanes)
      laneLoad(this.lanes[lane], view, load);
    for (let x = 0; x < view.width; ++x)
      if (load[x] > 0)
        line[x] = mixed(KindColours.kernel[0], this.back, 0.25 + 0.75 * Math.min(1, load[x] / row.lanes.length));
  }

  paintLabels(context, labels, ratio) {
    // The widest are read first; more than this many nobody reads.
    if (labels.length > LabelsAtMost)
      labels.sort((left, right) => (right[1] - right[0]) - (left[1] - left[0])).length = LabelsAtMost;
    context.font = `11px ${MonoFont}`;
    context.textBaseline = "middle";
    for (const [from, to, events, event, top] of labels) {
      const name = events.name[event];
      const faint = this.matches && !this.matches[name];
      context.fillStyle = faint ? this.style.text : isWaiting(this.kinds[name]) ? this.style.strong : EventText;
      const room = (to - from) / ratio - 8;
      const text = shownLabel(this.names[name], Math.max(2, Math.floor(room / 6.7)));
      if (isWaiting(this.kinds[name])) {
        // Text over strokes is not read: a ground of its own.
        const ground = context.fillStyle;
        context.fillStyle = `rgb(${this.back.join(",")})`;
        context.fillRect(from / ratio + 3, top / ratio + 2, text.length * 6.7 + 4, TrackHeight - 5);
        context.fillStyle = ground;
      }
      context.fillText(text, from / ratio + 4, top / ratio + TrackHeight / 2);
    }
  }

  xOf(time, width) { return (time - this.view.begin) / (this.view.end - this.view.begin) * width; }

  boxOf(place, width) {
    const row = this.rows.find((entry) => entry.lane === place.lane);
    if (!row)
      return null;
    const events = this.lanes[place.lane];
    const left = this.xOf(events.begin[place.event], width), right = this.xOf(events.end[place.event], width);
    return [Math.max(-4, left), row.top + 2 + events.depth[place.event] * TrackHeight - this.scroll.scrollTop, Math.max(2, Math.min(width + 4, right) - Math.max(-4, left)), TrackHeight - 1];
  }

  paintGrid(context, width, height) {
    context.strokeStyle = this.style.line;
    context.globalAlpha = 0.5;
    context.lineWidth = 1;
    context.beginPath();
    for (const time of this.ticks(width)) {
      const x = Math.round(this.xOf(time, width)) + 0.5;
      context.moveTo(x, 0);
      context.lineTo(x, height);
    }
    context.stroke();
    context.globalAlpha = 1;
  }

  paintMarks(context, width, height) {
    if (this.range) {
      const left = this.xOf(this.range.begin, width), right = this.xOf(this.range.end, width);
      context.fillStyle = this.style.shade;
      context.fillRect(0, 0, Math.max(0, left), height);
      context.fillRect(right, 0, Math.max(0, width - right), height);
      context.fillStyle = this.style.accent;
      context.fillRect(left - 1, 0, 1, height);
      context.fillRect(right, 0, 1, height);
    }
    for (const [place, thick] of [[this.hover, 1], [this.selected, 2]]) {
      const box = place && this.boxOf(place, width);
      if (!box)
        continue;
      context.strokeStyle = thick > 1 ? this.style.accent : this.style.strong;
      context.lineWidth = thick;
      context.strokeRect(box[0] - 0.5, box[1] - 0.5, box[2] + 1, box[3] + 1);
    }
  }

  ticks(width) { return d3.ticks(this.view.begin, this.view.end, Math.max(2, Math.floor(width / 110))); }

  paintRuler(width, ratio) {
    this.fitCanvas(this.ruler, Math.round(width * ratio), Math.round(RulerHeight * ratio), width, RulerHeight);
    const context = this.ruler.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, RulerHeight);
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = this.style.text;
    const ticks = this.ticks(width);
    const step = ticks.length > 1 ? ticks[1] - ticks[0] : 1;
    // Deep within a long trace the times differ only in their last digits: those after the first are
    // given from it.
    const relative = ticks.length > 1 && Math.abs(ticks[0]) / step > 2000;
    ticks.forEach((time, index) => {
      const x = this.xOf(time, width);
      context.fillRect(Math.round(x), RulerHeight - 6, 1, 6);
      context.fillText(relative && index ? `+${shownTick(time - ticks[0], "ns")}` : relative ? exactTime(time) : shownTick(time, "ns"), x + 4, RulerHeight - 8);
    });
    if (this.range) {
      context.fillStyle = this.style.accent;
      context.globalAlpha = 0.3;
      const left = this.xOf(this.range.begin, width);
      context.fillRect(left, 0, this.xOf(this.range.end, width) - left, RulerHeight);
      context.globalAlpha = 1;
    }
  }

  // The whole trace, and which part of it is in view.
  paintOverview(width, ratio) {
    const pixels = Math.max(1, Math.round(width * ratio)), height = Math.round(OverviewHeight * ratio);
    const context = this.overview.getContext("2d");
    if (!this.overviewImage || this.overviewImage.length !== pixels) {
      const load = new Float32Array(pixels);
      const view = { begin: this.whole.begin, width: pixels, perPixel: (this.whole.end - this.whole.begin) / pixels };
      for (const events of this.lanes)
        if (!isWaiting(String(events.lane.kind)))
          laneLoad(events, view, load);
      this.overviewImage = load;
      this.overviewMost = load.reduce((most, value) => Math.max(most, value), 0) || 1;
    }
    this.fitCanvas(this.overview, pixels, height, width, OverviewHeight);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, pixels, height);
    context.fillStyle = `rgb(${KindColours.kernel[2].join(",")})`;
    for (let x = 0; x < pixels; ++x) {
      const bar = this.overviewImage[x] / this.overviewMost * (height - 2);
      if (bar > 0)
        context.fillRect(x, height - Math.max(1, bar), 1, Math.max(1, bar));
    }
    const span = this.whole.end - this.whole.begin;
    const left = (this.view.begin - this.whole.begin) / span * pixels, right = (this.view.end - this.whole.begin) / span * pixels;
    context.fillStyle = this.style.shade;
    context.fillRect(0, 0, left, height);
    context.fillRect(right, 0, pixels - right, height);
    context.strokeStyle = this.style.accent;
    context.lineWidth = ratio;
    context.strokeRect(left + ratio / 2, ratio / 2, Math.max(2, right - left - ratio), height - ratio);
  }
}

function readColour(name) {
  const colour = d3.rgb(styleValue(name));
  return [colour.r, colour.g, colour.b];
}

// To the nanosecond, in the greatest unit that fits.
function exactTime(ns) {
  const whole = Math.round(ns);
  const size = Math.abs(whole);
  const [divisor, digits, unit] = size >= 1e9 ? [1e9, 9, "s"] : size >= 1e6 ? [1e6, 6, "ms"] : size >= 1e3 ? [1e3, 3, "us"] : [1, 0, "ns"];
  return `${(whole / divisor).toFixed(digits).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "")} ${unit}`;
}
