// timeline-raster.js - draws rows of events into pixels: what is narrower than one as density.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

const MonoFont = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

// Hues after Paul Tol and Okabe and Ito, light enough for black text; the shade tells names apart.
const KindColours = {
  kernel: [[86, 150, 205], [118, 176, 222], [64, 133, 190], [140, 190, 230], [98, 165, 200]],
  region: [[86, 180, 150], [120, 200, 170], [70, 165, 135], [146, 212, 190], [100, 185, 175]],
  operator: [[221, 170, 80], [232, 190, 112], [210, 155, 60], [238, 204, 140], [224, 180, 60]],
  copy: [[190, 130, 190], [205, 155, 205], [175, 112, 175], [216, 172, 216], [198, 140, 170]],
  loop: [[170, 175, 90], [190, 195, 120], [152, 158, 76]],
  task: [[140, 190, 100], [164, 206, 130], [122, 174, 84]],
  annotation: [[214, 140, 110], [226, 165, 140], [202, 124, 94]],
  launch: [[226, 140, 160], [236, 166, 182], [212, 124, 146]],
  span: [[150, 160, 205], [174, 182, 218], [132, 143, 192]],
  python: [[196, 176, 150], [212, 196, 174], [180, 160, 134]],
  wait: [[186, 178, 172]],
  idle: [[205, 205, 205]],
  other: [[150, 172, 172], [176, 192, 192], [134, 156, 156]],
};
const EventText = "#10151c";
const nameColours = new Map();

function hashOf(text) {
  let hash = 2166136261;
  const limit = Math.min(text.length, 256);
  for (let index = 0; index < limit; ++index)
    hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return (hash ^ (hash >>> 15)) >>> 0;
}

function isWaiting(kind) { return kind === "wait" || kind === "idle"; }

// What waits stays behind what works, on a dark page too.
function waitStrength(kind) { return isWaiting(kind) ? 0.5 : 1; }

function eventColour(name, kind) {
  const shades = KindColours[kind] || KindColours.other;
  return shades[hashOf(name) % shades.length];
}

const FlameShades = ["kernel", "region", "operator", "copy", "annotation", "span"].flatMap(
    (kind) => KindColours[kind]);

function nameColour(name) {
  let colour = nameColours.get(name);
  if (!colour) {
    const [red, green, blue] = FlameShades[hashOf(name) % FlameShades.length];
    colour = `rgb(${red},${green},${blue})`;
    nameColours.set(name, colour);
  }
  return colour;
}

function pixel(red, green, blue) {
  // The bytes of a pixel in memory are red, green, blue, alpha.
  return (255 << 24 | blue << 16 | green << 8 | red) >>> 0;
}

function mixed(colour, back, share) {
  return pixel(Math.round(back[0] + (colour[0] - back[0]) * share),
      Math.round(back[1] + (colour[1] - back[1]) * share),
      Math.round(back[2] + (colour[2] - back[2]) * share));
}

function cssOfPixel(value) {
  return `rgb(${value & 255}, ${value >> 8 & 255}, ${value >> 16 & 255})`;
}

// Colours as pixels, by name: faint, and by steps of density. Made when one is drawn first: of very
// many names few are in sight.
const DensitySteps = 8;

class EventColours {
  constructor(names, kinds, back, text, byName) {
    Object.assign(this, {names, kinds, back, byName});
    this.pixels = new Uint32Array(names.length * (DensitySteps + 2));
    this.hatch = mixed(text, back, 0.4);
  }

  isHatched(name) { return isWaiting(this.kinds[name]); }

  of(name, share) {
    return this.at(name, 1 + Math.max(0, Math.min(DensitySteps, Math.round(share * DensitySteps))));
  }

  faint(name) { return this.at(name, 0); }

  at(name, place) {
    const first = name * (DensitySteps + 2);
    // No pixel is 0: all are opaque.
    if (!this.pixels[first])
      this.make(name, first);
    return this.pixels[first + place];
  }

  make(name, first) {
    const kind = this.kinds[name], text = this.names.at(name), waits = isWaiting(kind);
    const colour = this.byName && !waits ? FlameShades[hashOf(text) % FlameShades.length] :
                                           eventColour(text, kind);
    const strength = waitStrength(kind);
    this.pixels[first] = mixed(colour, this.back, 0.2 * strength);
    for (let step = 0; step <= DensitySteps; ++step)
      this.pixels[first + 1 + step] =
          mixed(colour, this.back, strength * (0.45 + 0.55 * step / DensitySteps));
  }
}

// One line of pixels of a row; `labels` gets the events wide enough for text, `hatches` the waits.
function rasterLine(events, track, view, line, colours, back, matches, labels, hatches, least) {
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
      // Wide enough to be drawn as it is.
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
    // All that begins within this pixel, as the density of the longest's colour.
    const column = Math.max(x, Math.floor(left));
    if (column >= width)
      break;
    const until = begin + (column + 1) * perPixel;
    const next = Math.max(index + 1, gallop(begins, until, index));
    if (column >= 0) {
      let chosen = events.longest(track, index, next);
      let lit = !matches;
      if (matches) {
        // A match must be seen though others share its pixel; of very many a sample is looked at.
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
      // The last of them can be long and go on.
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
function stampLine(image, line, width, height, top, bottom) {
  for (let y = Math.max(0, top); y < Math.min(height, bottom); ++y)
    image.set(line, y * width);
}

// Diagonal strokes over what is waiting: told from work without its colour.
function stampHatch(image, hatches, width, height, top, bottom, colour, scale) {
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

// How busy a whole lane is, by pixel: the outermost row's share of each.
function laneLoad(events, view, load) {
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
