// splits.js - where each of many names begins to differ from the others, so that cutting happens
// before that.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {make, makeName} from "./dom.js";
import {cutMiddle, escaped, shownName} from "./text.js";

const LeastTail = 12, LeastHead = 16, SplitContext = 4;
export const SplitNames = 20000;
const SplitLength = 4096;

function commonLength(one, other) {
  const limit = Math.min(one.length, other.length);
  let length = 0;
  while (length < limit && one[length] === other[length])
    ++length;
  return length;
}

export class Splits {
  // `names`: an iterable of texts.
  constructor(names) {
    const long = new Set();
    for (const name of names) {
      if (name.length > LeastHead + LeastTail)
        long.add(name.slice(0, SplitLength));
      if (long.size > SplitNames)
        break;
    }
    this.places = new Map();
    const sorted = [...long].sort();
    let before = 0;
    sorted.forEach((name, index) => {
      const behind = index + 1 < sorted.length ? commonLength(name, sorted[index + 1]) : 0;
      this.places.set(name, Math.max(before, behind));
      before = behind;
    });
  }

  // Where the part of a name that must stay visible begins: its end, or more if the difference
  // begins earlier.
  at(name) {
    const last = Math.max(0, name.length - LeastTail);
    const common = this.places.get(name) || 0;
    const place = common < LeastHead ? last : Math.min(last, common - SplitContext);
    // Not within a character.
    return place && /[\udc00-\udfff]/.test(name[place]) ? place - 1 : place;
  }
}

// For a small box: the start of the name, or its distinct part if other names start alike.
export function shownLabel(text, limit, split) {
  const cut = (shown) => {
    if (shown.length <= limit)
      return shown;
    if (limit < 14)
      return limit >= 8 && split >= LeastHead && split < shown.length - LeastTail ?
          `…${shown.slice(split + SplitContext, split + SplitContext + limit - 1)}` :
          `${shown.slice(0, Math.max(1, limit - 1))}…`;
    const head = Math.ceil((limit - 1) / 3), rest = limit - 1 - head;
    if (shown.length - split <= rest)
      return `${shown.slice(0, limit - 1 - (shown.length - split))}…${shown.slice(split)}`;
    return `${shown.slice(0, head)}…${shown.slice(split, split + rest - 1)}…`;
  };
  const shown = escaped(cut(text.slice(0, SplitLength)));
  return shown.length <= limit ? shown : cutMiddle(shown, limit);
}

// A name that is cut before its distinct part if there is no room for all of it.
export function makeSplitName(text, limit, split) {
  if (split < LeastHead || text.length > SplitLength)
    return makeName(text, limit);
  const tail = shownName(text.slice(split), limit);
  // An end that always has room must not be cut by a fraction of a pixel.
  const element = make("bdi", {class: tail.length > LeastTail ? "name split" : "name split ends"},
      make("span", {class: "head", text: shownName(text.slice(0, split), limit)}), tail);
  element.style.setProperty("--tail", `${tail.length}ch`);
  return element;
}
