// timeline-input.js - mouse, touch and keyboard of the timeline.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {firstAtOrAfter} from "./bisect.js";
import {exactTime, shownTime} from "./text.js";
import {fitEvent, neighbour, selectEvent, showEvent} from "./timeline-choice.js";
import {TrackHeight} from "./timeline-measures.js";
import {tooltip} from "./tooltip.js";

const DragThreshold = 4;

export function attachTimelineInput(chart) {
  const {canvas, ruler, overview} = chart;
  canvas.addEventListener("wheel", (event) => wheelTimeline(chart, event), {passive: false});
  ruler.addEventListener("wheel", (event) => wheelTimeline(chart, event), {passive: false});
  attachPan(chart);
  attachRange(chart, ruler);
  attachOverview(chart, overview);
  canvas.addEventListener("pointerleave", () => {
    chart.hover = null;
    tooltip.hide();
    chart.paintSoon();
  });
  canvas.addEventListener("dblclick", (event) => {
    const place = placeAt(chart, event);
    if (place)
      fitEvent(chart, place);
  });
  canvas.addEventListener("keydown", (event) => timelineKey(chart, event));
}

function timeAt(chart, offset, width) {
  return chart.view.begin + (chart.view.end - chart.view.begin) * offset / width;
}

function wheelTimeline(chart, event) {
  const width = event.currentTarget.clientWidth;
  // A pinch on a touchpad arrives as a wheel event with control.
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    const unit = event.deltaMode ? 30 : 1;
    chart.zoom(Math.exp(Math.max(-1.5, Math.min(1.5, event.deltaY * unit * 0.004))),
        timeAt(chart, event.offsetX, width));
  } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    event.preventDefault();
    chart.pan((event.deltaX || event.deltaY) / width);
  }
}

function attachPan(chart) {
  const {canvas} = chart;
  const pointers = new Map();
  let start = null;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0)
      return;
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, event.offsetX);
    start = {
      x: event.offsetX,
      y: event.offsetY,
      scroll: chart.scroll.scrollTop,
      view: Object.assign({}, chart.view),
      moved: false,
      points: new Map(pointers),
      range: event.shiftKey
    };
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!pointers.has(event.pointerId) || !start) {
      hoverTimeline(chart, event);
      return;
    }
    const {width} = canvas.getBoundingClientRect();
    pointers.set(event.pointerId, event.offsetX);
    const span = start.view.end - start.view.begin;
    if (pointers.size === 2) {
      start.moved = true;
      const [a, b] = [...start.points.values()], [c, d] = [...pointers.values()];
      const scale = Math.max(0.02, Math.min(50, Math.abs(a - b) / Math.max(8, Math.abs(c - d))));
      const middle = start.view.begin + span * (a + b) / 2 / width;
      const begin = middle - span * scale * (c + d) / 2 / width;
      chart.setView({begin, end: begin + span * scale});
      return;
    }
    if (!start.moved &&
        Math.hypot(event.offsetX - start.x, event.offsetY - start.y) < DragThreshold)
      return;
    start.moved = true;
    if (start.range) {
      dragRange(chart, start.x, event.offsetX, width);
      return;
    }
    const by = (start.x - event.offsetX) / width * span;
    chart.setView({begin: start.view.begin + by, end: start.view.end + by});
    if (event.pointerType === "mouse")
      chart.scroll.scrollTop = start.scroll + start.y - event.offsetY;
  });
  const end = (event) => {
    pointers.delete(event.pointerId);
    if (start && !start.moved && event.type === "pointerup")
      selectEvent(chart, placeAt(chart, event));
    start = pointers.size && start ? Object.assign(start, {moved: true}) : null;
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
}

function dragRange(chart, from, to, width) {
  const begin = timeAt(chart, Math.max(0, Math.min(from, to)), width),
        end = timeAt(chart, Math.min(width, Math.max(from, to)), width);
  chart.setRange({begin, end});
}

function attachRange(chart, ruler) {
  let from = null;
  ruler.addEventListener("pointerdown", (event) => {
    ruler.setPointerCapture(event.pointerId);
    from = event.offsetX;
  });
  ruler.addEventListener("pointermove", (event) => {
    if (from !== null && Math.abs(event.offsetX - from) >= DragThreshold)
      dragRange(chart, from, event.offsetX, ruler.clientWidth);
  });
  ruler.addEventListener("pointerup", (event) => {
    if (from !== null && Math.abs(event.offsetX - from) < DragThreshold)
      chart.setRange(null);
    from = null;
  });
}

function attachOverview(chart, overview) {
  let held = false;
  const move = (event) => {
    const {whole, view} = chart;
    const at = whole.begin + (whole.end - whole.begin) * event.offsetX / overview.clientWidth;
    const span = view.end - view.begin;
    chart.setView({begin: at - span / 2, end: at + span / 2});
  };
  overview.addEventListener("pointerdown", (event) => {
    held = true;
    overview.setPointerCapture(event.pointerId);
    move(event);
  });
  overview.addEventListener("pointermove", (event) => {
    if (held)
      move(event);
  });
  overview.addEventListener("pointerup", () => {
    held = false;
  });
}

// The event under the pointer; one that is a pixel wide is also found from next to it.
function placeAt(chart, event) {
  const {width} = chart.canvas.getBoundingClientRect();
  const y = event.offsetY + chart.scroll.scrollTop;
  const row = chart.rows.find((entry) => y >= entry.top && y < entry.top + entry.height);
  if (!row || row.group)
    return null;
  const events = chart.lanes[row.lane];
  const track = events.tracks[Math.floor((y - row.top - 2) / TrackHeight)];
  if (!track)
    return null;
  const perPixel = (chart.view.end - chart.view.begin) / width;
  const time = timeAt(chart, event.offsetX, width);
  const after = firstAtOrAfter(track.begins, time + perPixel, 0, track.begins.length);
  const from = firstAtOrAfter(track.begins, time - perPixel * 2, 0, after);
  const before = after - 1;
  if (before < 0)
    return null;
  const inside = track.events[before];
  if (after - from <= 1)
    return events.end[inside] >= time - perPixel * 2 ? {lane: row.lane, event: inside} : null;
  return {lane: row.lane, event: track.events[events.longest(track, from, after)]};
}

function hoverTimeline(chart, event) {
  if (!chart.ready || event.pointerType === "touch")
    return;
  const place = placeAt(chart, event);
  const same =
      chart.hover && place && chart.hover.lane === place.lane && chart.hover.event === place.event;
  if (!same && (chart.hover || place)) {
    chart.hover = place;
    chart.paintSoon();
  }
  if (!place) {
    tooltip.hide();
    return;
  }
  const events = chart.lanes[place.lane];
  tooltip.show(
      [
        chart.names.at(events.name[place.event]),
        `${shownTime(events.end[place.event] - events.begin[place.event])}, ${
            chart.kinds[events.name[place.event]]}`,
        `begins at ${exactTime(events.begin[place.event])}`
      ],
      event.clientX, event.clientY);
}

export function timelineKey(chart, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !chart.ready)
    return;
  switch (event.key) {
    case "w":
    case "+":
    case "=": chart.zoom(0.6); break;
    case "s":
    case "-": chart.zoom(1 / 0.6); break;
    case "a": chart.pan(-0.15); break;
    case "d": chart.pan(0.15); break;
    case "0": chart.setView(chart.whole); break;
    case "n": chart.nextMatch(1); break;
    case "p": chart.nextMatch(-1); break;
    case "f":
      if (chart.range)
        chart.fitRange();
      else if (chart.selected)
        fitEvent(chart, chart.selected);
      break;
    case "r":
      // The range of the selected event, for users who do not drag.
      if (chart.selected) {
        const events = chart.lanes[chart.selected.lane];
        chart.setRange(
            {begin: events.begin[chart.selected.event], end: events.end[chart.selected.event]});
      }
      break;
    case "Escape":
      if (!chart.range)
        return;
      chart.setRange(null);
      event.stopPropagation();
      break;
    case "ArrowLeft":
    case "ArrowRight":
    case "ArrowUp":
    case "ArrowDown": {
      const place = neighbour(chart, event.key);
      if (place)
        showEvent(chart, place);
      break;
    }
    case "Enter":
      if (chart.selected)
        selectEvent(chart, chart.selected);
      break;
    default: return;
  }
  event.preventDefault();
}
