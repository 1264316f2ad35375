// timeline-data.js - the events of a timeline, unpacked in pieces so that the page stays
// responsive.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {firstAtOrAfter} from "./bisect.js";
import {byId} from "./dom.js";
import {decodeBase64, inflating} from "./packed.js";
import {pause} from "./timing.js";

const DepthLimit = 60;  // rows of a lane; events nested deeper are drawn in the last row

async function inflate(pieces, size, progress) {
  const bytes = new Uint8Array(size);
  const reader = inflating(pieces).getReader();
  let at = 0;
  for (;;) {
    const {done, value} = await reader.read();
    if (done)
      break;
    if (at + value.length > size)
      throw new Error("the timeline holds more than its lanes say");
    bytes.set(value, at);
    at += value.length;
    progress(at / size);
  }
  if (at !== size)
    throw new Error("the timeline ends early");
  return bytes;
}

class LaneEvents {
  constructor(lane, count) {
    this.lane = lane;
    this.count = count;
    this.begin = new Float64Array(count);
    this.end = new Float64Array(count);
    this.name = new Uint32Array(count);
    this.depth = new Uint8Array(count);
    this.tracks = [];
  }

  // Nesting by time: an event is below earlier ones that have not ended. If events overlap without
  // nesting, each takes the first free row.
  nest() {
    const ends = [];
    const perDepth = [];
    for (let event = 0; event < this.count; ++event) {
      let row = 0;
      while (row < ends.length && ends[row] > this.begin[event])
        ++row;
      ends[row] = this.end[event];
      const depth = Math.min(row, DepthLimit - 1);
      this.depth[event] = depth;
      perDepth[depth] = (perDepth[depth] || 0) + 1;
    }
    this.tracks = perDepth.map(
        (count) => ({events: new Int32Array(count), filled: 0, busy: null, levels: null}));
    for (let event = 0; event < this.count; ++event) {
      const track = this.tracks[this.depth[event]];
      track.events[track.filled++] = event;
    }
    for (const track of this.tracks)
      this.index(track);
  }

  // What drawing needs from a row of events: the begin of the n-th, the busy time before it, and
  // the longest in any run, by levels of eight.
  index(track) {
    const {events} = track;
    const count = events.length;
    track.begins = new Float64Array(count);
    track.busy = new Float64Array(count + 1);
    let previousEnd = -Infinity;
    for (let index = 0; index < count; ++index) {
      const event = events[index];
      track.begins[index] = this.begin[event];
      // Events in the deepest row can overlap: each moment counts once.
      const from = Math.max(this.begin[event], previousEnd);
      track.busy[index + 1] = track.busy[index] + Math.max(0, this.end[event] - from);
      previousEnd = Math.max(previousEnd, this.end[event]);
    }
    track.levels = [];
    let below = null;
    for (let size = Math.ceil(count / 8); size >= 1 && count > 8; size = Math.ceil(size / 8)) {
      const level = new Int32Array(size);
      for (let index = 0; index < size; ++index) {
        let best = -1;
        const limit = Math.min((index + 1) * 8, below ? below.length : count);
        for (let inner = index * 8; inner < limit; ++inner) {
          const candidate = below ? below[inner] : inner;
          if (best < 0 || this.lengthAt(track, candidate) > this.lengthAt(track, best))
            best = candidate;
        }
        level[index] = best;
      }
      track.levels.push(level);
      below = level;
      if (size === 1)
        break;
    }
  }

  lengthAt(track, index) {
    const event = track.events[index];
    return this.end[event] - this.begin[event];
  }

  // The longest of the events [from, to) of a row.
  longest(track, from, to) {
    let best = from, at = from;
    while (at < to) {
      let step = 1, level = -1;
      while (level + 1 < track.levels.length && at % (step * 8) === 0 && at + step * 8 <= to) {
        step *= 8;
        ++level;
      }
      const candidate = level < 0 ? at : track.levels[level][at / step];
      if (this.lengthAt(track, candidate) > this.lengthAt(track, best))
        best = candidate;
      at += step;
    }
    return best;
  }

  // Busy time of a row before a moment.
  busyBefore(track, time) {
    const index = firstAtOrAfter(track.begins, time, 0, track.begins.length);
    if (!index)
      return 0;
    const event = track.events[index - 1];
    const over = Math.max(0, this.end[event] - Math.max(time, this.begin[event]));
    return track.busy[index] - Math.min(over, track.busy[index] - track.busy[index - 1]);
  }
}

export async function decodeTimeline(data, progress) {
  const lanes = data.lanes || [];
  const size = lanes.reduce((sum, lane) => sum + lane.bytes, 0);
  const pieces = await decodeBase64(byId(data.blob));
  const bytes =
      size ? await inflate(pieces, size, (share) => progress(share * 0.3)) : new Uint8Array(0);
  const result = [];
  const known = (data.names || []).length;
  let at = 0, since = performance.now();
  const varint = () => {
    // Beyond 28 bits, shifts would lose bits that do not fit in 32.
    let value = 0, factor = 1;
    for (;;) {
      const byte = bytes[at++];
      value += (byte & 127) * factor;
      if (byte < 128)
        return value;
      if (byte === undefined)
        throw new Error("the timeline is damaged");
      factor *= 128;
    }
  };
  for (const lane of lanes) {
    const limit = at + lane.bytes;
    const events = new LaneEvents(lane, lane.events);
    let time = data.begin_ns || 0;
    for (let event = 0; event < lane.events; ++event) {
      time += varint();
      events.begin[event] = time;
      events.end[event] = time + varint();
      const name = varint();
      events.name[event] = name;
      if (name >= known || at > limit)
        throw new Error("the timeline is damaged");
      if ((event & 4095) === 0 && performance.now() - since > 12) {
        progress(0.3 + 0.7 * at / size);
        await pause();
        since = performance.now();
      }
    }
    if (at !== limit)
      throw new Error("the timeline is damaged");
    await pause();
    events.nest();
    result.push(events);
  }
  return result;
}
