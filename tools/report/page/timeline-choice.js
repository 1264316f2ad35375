// timeline-choice.js - the selected event of a timeline: its details, and the way to other events.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {firstAtOrAfter} from "./bisect.js";
import {announce} from "./dom.js";
import {panel} from "./panel.js";
import {exactTime, plural, shownTime} from "./text.js";
import {LeastSpan, TrackHeight} from "./timeline-measures.js";

function parentOf(events, event) {
  const depth = events.depth[event];
  for (let before = event - 1; before >= 0 && depth > 0; --before)
    if (events.depth[before] === depth - 1)
      return events.end[before] >= events.end[event] ? before : -1;
  return -1;
}

function eventFacts(chart, place) {
  const events = chart.lanes[place.lane];
  const {event} = place;
  const name = events.name[event];
  let calls = 0, total = 0;
  for (const lane of chart.lanes)
    for (let other = 0; other < lane.count; ++other)
      if (lane.name[other] === name) {
        ++calls;
        total += lane.end[other] - lane.begin[other];
      }
  const facts = [
    ["Kind", chart.kinds[name]], ["Begin", exactTime(events.begin[event])],
    ["Duration", exactTime(events.end[event] - events.begin[event])],
    ["End", exactTime(events.end[event])], ["Lane", String(events.lane.title || "")],
    ["Group", String(events.lane.group || "")], ["Depth", String(events.depth[event])]
  ];
  const above = parentOf(events, event);
  if (above >= 0)
    facts.push(["Within", chart.names.at(events.name[above])]);
  facts.push([
    "All of this name",
    `${plural(calls, "call")}, ${shownTime(total)}, mean ${shownTime(Math.round(total / calls))}`
  ]);
  return facts;
}

export function selectEvent(chart, place) {
  chart.selected = place;
  chart.paintSoon();
  if (!place)
    return;
  const events = chart.lanes[place.lane];
  const name = chart.names.at(events.name[place.event]);
  panel.show({
    title: name,
    facts: eventFacts(chart, place),
    items: [],
    owner: chart,
    closed: () => {
      chart.selected = null;
      chart.paintSoon();
    }
  });
  announce(`${name}, ${shownTime(events.end[place.event] - events.begin[place.event])}, ${
      events.lane.title || ""}, begins at ${exactTime(events.begin[place.event])}`);
}

export function fitEvent(chart, place) {
  const events = chart.lanes[place.lane];
  const length = Math.max(LeastSpan, events.end[place.event] - events.begin[place.event]);
  chart.setView({
    begin: events.begin[place.event] - length * 0.1,
    end: events.end[place.event] + length * 0.1
  });
}

// Brings an event into view without changing the zoom, if it can be seen at that zoom.
export function showEvent(chart, place) {
  const events = chart.lanes[place.lane];
  const group = String(events.lane.group || "");
  if (chart.closed.delete(group))
    chart.layOut();
  const {begin, end} = chart.view;
  const from = events.begin[place.event], to = events.end[place.event];
  if (to < begin || from > end || (from < begin && to - from < end - begin)) {
    const middle = (from + to) / 2;
    chart.setView({begin: middle - (end - begin) / 2, end: middle + (end - begin) / 2});
  }
  const row = chart.rows.find((entry) => entry.lane === place.lane);
  const top = row.top + events.depth[place.event] * TrackHeight;
  if (top < chart.scroll.scrollTop ||
      top + TrackHeight > chart.scroll.scrollTop + chart.scroll.clientHeight)
    chart.scroll.scrollTop = top - chart.scroll.clientHeight / 2;
  selectEvent(chart, place);
}

// Goes to the next match, or the previous one.
export function showMatch(chart, direction) {
  const {matches, selected, lanes} = chart;
  if (!matches)
    return;
  const now = selected ? lanes[selected.lane].begin[selected.event] :
      direction > 0    ? chart.view.begin :
                         chart.view.end;
  // In the order of begin, then lane, then event, continuing from the other end.
  const later = (time, lane, event) => {
    if (!selected)
      return direction > 0 ? time >= now : time <= now;
    const order = time - now || lane - selected.lane || event - selected.event;
    return order * direction > 0;
  };
  let best = null, first = null;
  const nearer = (left, right) => !right ||
      ((left.time - right.time || left.lane - right.lane || left.event - right.event) * direction <
          0);
  lanes.forEach((events, lane) => {
    for (let event = 0; event < events.count; ++event) {
      if (!matches[events.name[event]])
        continue;
      const place = {lane, event, time: events.begin[event]};
      if (nearer(place, first))
        first = place;
      if (later(place.time, lane, event) && nearer(place, best))
        best = place;
    }
  });
  const found = best || first;
  if (found)
    showEvent(chart, {lane: found.lane, event: found.event});
  else
    announce("No match");
}

// The event next to the selected one: in its row, above or below, or in the next lane.
export function neighbour(chart, key) {
  const {lanes, rows} = chart;
  const order = rows.filter((row) => !row.group && lanes[row.lane].count).map((row) => row.lane);
  if (!order.length)
    return null;
  if (!chart.selected || !order.includes(chart.selected.lane)) {
    const lane = order[0];
    const at = firstAtOrAfter(lanes[lane].begin, chart.view.begin, 0, lanes[lane].count);
    return {lane, event: Math.min(at, lanes[lane].count - 1)};
  }
  const {lane, event} = chart.selected;
  const events = lanes[lane], depth = events.depth[event];
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const track = events.tracks[depth];
    const at = track.events.indexOf(event) + (key === "ArrowLeft" ? -1 : 1);
    return at >= 0 && at < track.events.length ? {lane, event: track.events[at]} : null;
  }
  const above = key === "ArrowUp" ? parentOf(events, event) : -1;
  if (above >= 0)
    return {lane, event: above};
  if (key === "ArrowDown" && event + 1 < events.count && events.depth[event + 1] === depth + 1)
    return {lane, event: event + 1};
  const to = order[order.indexOf(lane) + (key === "ArrowUp" ? -1 : 1)];
  if (to === undefined)
    return null;
  const at = firstAtOrAfter(lanes[to].begin, events.begin[event], 0, lanes[to].count);
  return {lane: to, event: Math.min(at, lanes[to].count - 1)};
}
