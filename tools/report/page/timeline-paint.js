// timeline-paint.js - the parts of a frame of the timeline, from rows to overview.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {shownTick} from "./chart-marks.js";
import {d3} from "./d3.js";
import {EventText, isWaiting, KindColours, mixed, MonoFont, pixel} from "./event-colours.js";
import {shownLabel} from "./splits.js";
import {exactTime} from "./text.js";
import {TrackHeight} from "./timeline-measures.js";
import {laneLoad, rasterLine, stampHatch, stampLine} from "./timeline-raster.js";

const OverviewHeight = 34, RulerHeight = 24;
const LabelsAtMost = 500;

// Methods of TimelineChart.
const timelinePaint = {
  paint() {
    if (!this.ready || !this.element.isConnected || !this.scroll.clientWidth)
      return;
    const begun = performance.now();
    const ratio = window.devicePixelRatio || 1;
    const cssWidth = this.canvas.parentElement.clientWidth,
          cssHeight = Math.min(this.scroll.clientHeight, this.height);
    const width = Math.max(1, Math.round(cssWidth * ratio)),
          height = Math.max(1, Math.round(cssHeight * ratio));
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
    // For performance measurements.
    this.canvas.dataset.frame = (performance.now() - begun).toFixed(2);
    this.canvas.dataset.view = `${this.view.begin}-${this.view.end}`;
  },

  fitCanvas(canvas, width, height, cssWidth, cssHeight) {
    if (canvas.width !== width)
      canvas.width = width;
    if (canvas.height !== height)
      canvas.height = height;
    canvas.style.width = `${cssWidth}px`;
    canvas.style.height = `${cssHeight}px`;
  },

  rasterRows(width, height, ratio, labels) {
    const {pixels, line, colours, scroll} = this;
    const back = pixel(...this.back), band = pixel(...this.band);
    const view = {
      begin: this.view.begin,
      width,
      perPixel: (this.view.end - this.view.begin) / width
    };
    pixels.fill(back);
    const offset = scroll.scrollTop;
    for (const row of this.rows) {
      const top = Math.round((row.top - offset) * ratio),
            bottom = Math.round((row.top + row.height - offset) * ratio);
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
        const from = Math.round((row.top + 2 + depth * TrackHeight - offset) * ratio),
              to = Math.round((row.top + 2 + (depth + 1) * TrackHeight - offset - 1) * ratio);
        if (to < 0 || from > height)
          return;
        const found = [], hatches = [];
        rasterLine(
            events, track, view, line, colours, back, this.matches, found, hatches, 30 * ratio);
        stampLine(pixels, line, width, height, from, to);
        if (hatches.length)
          stampHatch(pixels, hatches, width, height, from, to, colours.hatch, ratio);
        for (const label of found)
          labels.push([...label, from]);
      });
    }
  },

  rasterLoad(row, view, line) {
    const load = new Float32Array(view.width);
    for (const lane of row.lanes)
      laneLoad(this.lanes[lane], view, load);
    for (let x = 0; x < view.width; ++x)
      if (load[x] > 0)
        line[x] = mixed(KindColours.kernel[0], this.back,
            0.25 + 0.75 * Math.min(1, load[x] / row.lanes.length));
  },

  paintLabels(context, labels, ratio) {
    // The widest labels are placed first; nobody reads more than this many.
    if (labels.length > LabelsAtMost)
      labels.sort((left, right) => (right[1] - right[0]) - (left[1] - left[0])).length =
          LabelsAtMost;
    context.font = `11px ${MonoFont}`;
    context.textBaseline = "middle";
    for (const [from, to, events, event, top] of labels) {
      const name = events.name[event];
      const faint = this.matches && !this.matches[name];
      context.fillStyle = faint       ? this.style.text :
          isWaiting(this.kinds[name]) ? this.style.strong :
                                        EventText;
      const room = (to - from) / ratio - 8;
      const text = shownLabel(this.names.at(name), Math.max(2, Math.floor(room / 6.7)),
          this.splits.at(this.names.at(name)));
      if (isWaiting(this.kinds[name])) {
        // Text on hatching is hard to read: it gets a background.
        const ground = context.fillStyle;
        context.fillStyle = `rgb(${this.back.join(",")})`;
        context.fillRect(from / ratio + 3, top / ratio + 2, text.length * 6.7 + 4, TrackHeight - 5);
        context.fillStyle = ground;
      }
      context.fillText(text, from / ratio + 4, top / ratio + TrackHeight / 2);
    }
  },

  xOf(time, width) { return (time - this.view.begin) / (this.view.end - this.view.begin) * width; },

  boxOf(place, width) {
    const row = this.rows.find((entry) => entry.lane === place.lane);
    if (!row)
      return null;
    const events = this.lanes[place.lane];
    const left = this.xOf(events.begin[place.event], width),
          right = this.xOf(events.end[place.event], width);
    return [
      Math.max(-4, left),
      row.top + 2 + events.depth[place.event] * TrackHeight - this.scroll.scrollTop,
      Math.max(2, Math.min(width + 4, right) - Math.max(-4, left)), TrackHeight - 1
    ];
  },

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
  },

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
  },

  ticks(width) {
    return d3.ticks(this.view.begin, this.view.end, Math.max(2, Math.floor(width / 110)));
  },

  paintRuler(width, ratio) {
    this.fitCanvas(
        this.ruler, Math.round(width * ratio), Math.round(RulerHeight * ratio), width, RulerHeight);
    const context = this.ruler.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, RulerHeight);
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = this.style.text;
    const ticks = this.ticks(width);
    const step = ticks.length > 1 ? ticks[1] - ticks[0] : 1;
    // Deep inside a long trace, times differ only in their last digits: all but the first are
    // relative to it.
    const relative = ticks.length > 1 && Math.abs(ticks[0]) / step > 2000;
    ticks.forEach((time, index) => {
      const x = this.xOf(time, width);
      context.fillRect(Math.round(x), RulerHeight - 6, 1, 6);
      context.fillText(relative && index ? `+${shownTick(time - ticks[0], "ns")}` :
              relative ? exactTime(time) :
                         shownTick(time, "ns"),
          x + 4, RulerHeight - 8);
    });
    if (this.range) {
      context.fillStyle = this.style.accent;
      context.globalAlpha = 0.3;
      const left = this.xOf(this.range.begin, width);
      context.fillRect(left, 0, this.xOf(this.range.end, width) - left, RulerHeight);
      context.globalAlpha = 1;
    }
  },

  // The whole trace, and the part of it that is in view.
  paintOverview(width, ratio) {
    const pixels = Math.max(1, Math.round(width * ratio)),
          height = Math.round(OverviewHeight * ratio);
    const context = this.overview.getContext("2d");
    if (!this.overviewImage || this.overviewImage.length !== pixels) {
      const load = new Float32Array(pixels);
      const view = {
        begin: this.whole.begin,
        width: pixels,
        perPixel: (this.whole.end - this.whole.begin) / pixels
      };
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
    const left = (this.view.begin - this.whole.begin) / span * pixels,
          right = (this.view.end - this.whole.begin) / span * pixels;
    context.fillStyle = this.style.shade;
    context.fillRect(0, 0, left, height);
    context.fillRect(right, 0, pixels - right, height);
    context.strokeStyle = this.style.accent;
    context.lineWidth = ratio;
    context.strokeRect(
        left + ratio / 2, ratio / 2, Math.max(2, right - left - ratio), height - ratio);
  },
};

export {timelinePaint};
