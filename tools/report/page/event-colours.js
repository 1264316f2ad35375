// event-colours.js - the colours of events: by kind or name, plain or as pixels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

export const MonoFont = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

// Hues after Paul Tol and Okabe and Ito, light enough for black text; the shade distinguishes
// names.
export const KindColours = {
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
export const EventText = "#10151c";
const nameColours = new Map();

function hashOf(text) {
  let hash = 2166136261;
  const limit = Math.min(text.length, 256);
  for (let index = 0; index < limit; ++index)
    hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return (hash ^ (hash >>> 15)) >>> 0;
}

export function isWaiting(kind) { return kind === "wait" || kind === "idle"; }

// Waiting is fainter than work, on a dark page too.
export function waitStrength(kind) { return isWaiting(kind) ? 0.5 : 1; }

function eventColour(name, kind) {
  const shades = KindColours[kind] || KindColours.other;
  return shades[hashOf(name) % shades.length];
}

const FlameShades = ["kernel", "region", "operator", "copy", "annotation", "span"].flatMap(
    (kind) => KindColours[kind]);

export function nameColour(name) {
  let colour = nameColours.get(name);
  if (!colour) {
    const [red, green, blue] = FlameShades[hashOf(name) % FlameShades.length];
    colour = `rgb(${red},${green},${blue})`;
    nameColours.set(name, colour);
  }
  return colour;
}

export function pixel(red, green, blue) {
  // The bytes of a pixel in memory are red, green, blue, alpha.
  return (255 << 24 | blue << 16 | green << 8 | red) >>> 0;
}

export function mixed(colour, back, share) {
  return pixel(Math.round(back[0] + (colour[0] - back[0]) * share),
      Math.round(back[1] + (colour[1] - back[1]) * share),
      Math.round(back[2] + (colour[2] - back[2]) * share));
}

export function cssOfPixel(value) {
  return `rgb(${value & 255}, ${value >> 8 & 255}, ${value >> 16 & 255})`;
}

// Colours as pixels, by name: faint, and by steps of density. Created when first drawn: of very
// many names, few are visible.
const DensitySteps = 8;

export class EventColours {
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
    // No pixel is 0, since all are opaque.
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
