// timeline-raster.js - draws rows of events as pixels: events narrower than a pixel appear as
// density.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {firstAtOrAfter, gallop} from "./bisect.js";

// One line of pixels for a row; `labels` gets the events wide enough for text, `hatches` the waits.
export function rasterLine(
    events, track, view, line, colours, back, matches, labels, hatches, least) {
  const {begins} = track;
  const {width, begin, perPixel} = view;
  line.fill(back);
  let index = Math.max(0, firstAtOrAfter(begins, begin, 0, begins.length) - 1);
  let x = 0;
  while (index < begins.length) {
    const event = track.events[index];
    const left = (events.begin[event] - begin) / perPixel,
          right = (events.end[event] - begin) / perPixel;
    if (left >= width)
      break;
    if (right < 0) {
      ++index;
      continue;
    }
    if (right - left >= 1) {
      // Wide enough to be drawn individually.
      const from = Math.max(x, Math.round(left)),
            to = Math.min(width, Math.max(from + 1, Math.round(right)));
      if (to > from && right > 0) {
        const name = events.name[event];
        line.fill(matches && !matches[name] ? colours.faint(name) : colours.of(name, 1), from, to);
        if (to - from > 3 && to < width)
          line[to - 1] = back;
        if (colours.isHatched(name))
          hatches.push(from, to);
        if (to - from >= least)
          labels.push([from, to, events, event]);
        x = to;
      }
      ++index;
      continue;
    }
    // Everything that begins within this pixel, as density in the colour of the longest.
    const column = Math.max(x, Math.floor(left));
    if (column >= width)
      break;
    const until = begin + (column + 1) * perPixel;
    const next = Math.max(index + 1, gallop(begins, until, index));
    if (column >= 0) {
      let chosen = events.longest(track, index, next);
      let lit = !matches;
      if (matches) {
        // A match must be visible even if others share its pixel; of very many, a sample is
        // checked.
        const step = Math.max(1, Math.floor((next - index) / 64));
        for (let inner = index; inner < next; inner += step)
          if (matches[events.name[track.events[inner]]]) {
            chosen = inner;
            lit = true;
            break;
          }
      }
      const share = Math.min(1, (track.busy[next] - track.busy[index]) / perPixel);
      const name = events.name[track.events[chosen]];
      line[column] = lit ? colours.of(name, share) : colours.faint(name);
      x = column + 1;
      // The last of them can be long and extend further.
      const last = track.events[next - 1];
      if (next - 1 > index && (events.end[last] - events.begin[last]) / perPixel >= 1) {
        index = next - 1;
        continue;
      }
    }
    index = next;
  }
}

// Copies the line into the rows [top, bottom) of the image.
export function stampLine(image, line, width, height, top, bottom) {
  for (let y = Math.max(0, top); y < Math.min(height, bottom); ++y)
    image.set(line, y * width);
}

// Diagonal strokes over waits: this distinguishes them from work without colour.
export function stampHatch(image, hatches, width, height, top, bottom, colour, scale) {
  const period = Math.round(6 * scale), stroke = Math.max(1, Math.round(1.4 * scale));
  for (let y = Math.max(0, top); y < Math.min(height, bottom); ++y)
    for (let pair = 0; pair < hatches.length; pair += 2) {
      const end = y * width + hatches[pair + 1];
      for (let x = hatches[pair] + (period - (hatches[pair] + y) % period) % period;
          x < hatches[pair + 1]; x += period)
        for (let inner = 0; inner < stroke && y * width + x + inner < end; ++inner)
          image[y * width + x + inner] = colour;
    }
}

// How busy a whole lane is, by pixel: the share of its outermost row.
export function laneLoad(events, view, load) {
  const track = events.tracks[0];
  if (!track)
    return;
  let before = events.busyBefore(track, view.begin);
  for (let x = 0; x < view.width; ++x) {
    const upTo = events.busyBefore(track, view.begin + (x + 1) * view.perPixel);
    load[x] += (upTo - before) / view.perPixel;
    before = upTo;
  }
}
