// texts.js - the names of large tables and charts, each stored once: bytes that become text on
// request.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {firstAtOrAfter} from "./bisect.js";
import {packedBytes} from "./packed.js";
import {haystack} from "./text.js";

const ChunkBytes = 1 << 20;  // size of a chunk of texts that is searched at once
const QueriesKept = 4;

// Texts by number, in the order in which tables sort them.
const texts = {
  count: 0,
  bytes: null,
  begins: null,     // begin of each text within the bytes; one more than texts
  chunks: [],       // { first, last, lower, starts }
  hits: new Map(),  // by query
  decoder: new TextDecoder("utf-8", {ignoreBOM: true}),

  expect(count) { this.count = count; },

  load() {
    if (!this.loading)
      this.loading = this.count ? packedBytes("packed-texts").then((buffer) => this.read(buffer)) :
                                  Promise.resolve();
    return this.loading;
  },

  // First the length of each text as LEB128, then all texts.
  read(buffer) {
    const bytes = new Uint8Array(buffer);
    const begins = new Uint32Array(this.count + 1);
    let at = 0;
    for (let text = 0; text < this.count; ++text) {
      let length = 0, factor = 1, byte = 128;
      while (byte >= 128) {
        byte = bytes[at++];
        if (byte === undefined)
          throw new Error("the names are damaged");
        length += (byte & 127) * factor;
        factor *= 128;
      }
      begins[text + 1] = begins[text] + length;
    }
    if (at + begins[this.count] !== bytes.length)
      throw new Error("the names are damaged");
    this.bytes = bytes.subarray(at);
    this.begins = begins;
    for (let first = 0; first < this.count;) {
      let last = first + 1;
      while (last < this.count && begins[last + 1] - begins[first] <= ChunkBytes)
        ++last;
      this.chunks.push({first, last, lower: null, starts: null});
      first = last;
    }
    performance.mark("seamscope-texts");
    this.chunkOf = new Uint16Array(this.count);
    this.chunks.forEach((chunk, index) => this.chunkOf.fill(index, chunk.first, chunk.last));
  },

  at(number) {
    if (!(number >= 0 && number < this.count))
      return "";
    return this.decoder.decode(this.bytes.subarray(this.begins[number], this.begins[number + 1]));
  },

  // Which texts a matcher accepts; computed chunk by chunk, when one of its texts is requested.
  matching(matcher) {
    let found = this.hits.get(matcher.query);
    if (!found) {
      found = new TextHits(matcher);
      this.hits.set(matcher.query, found);
      if (this.hits.size > QueriesKept)
        this.hits.delete(this.hits.keys().next().value);
    }
    return found;
  },

  // The texts of a chunk concatenated for searching, and where each begins.
  searched(chunk) {
    if (chunk.lower !== null)
      return chunk;
    const from = this.begins[chunk.first];
    const whole = this.decoder.decode(this.bytes.subarray(from, this.begins[chunk.last]));
    const lower = whole.toLowerCase();
    chunk.starts = new Uint32Array(chunk.last - chunk.first + 1);
    if (lower.length === this.begins[chunk.last] - from) {
      // One byte for each character.
      for (let text = chunk.first; text <= chunk.last; ++text)
        chunk.starts[text - chunk.first] = this.begins[text] - from;
      chunk.lower = lower;
      return chunk;
    }
    const each = [];
    for (let text = chunk.first, at = 0; text < chunk.last; ++text) {
      each.push(this.at(text).toLowerCase());
      at += each[each.length - 1].length;
      chunk.starts[text - chunk.first + 1] = at;
    }
    chunk.lower = each.join("");
    return chunk;
  },
};

export {texts};

class TextHits {
  constructor(matcher) {
    this.matcher = matcher;
    this.found = new Uint8Array(texts.count);
    this.done = new Uint8Array(texts.chunks.length);
  }

  has(number) {
    const chunk = texts.chunkOf[number];
    if (!this.done[chunk]) {
      this.done[chunk] = 1;
      this.look(texts.searched(texts.chunks[chunk]));
    }
    return this.found[number] === 1;
  }

  look({first, last, lower, starts}) {
    const {wanted} = this.matcher;
    if (wanted === null) {
      for (let text = first; text < last; ++text)
        this.found[text] =
            this.matcher(haystack(lower.slice(starts[text - first], starts[text - first + 1])));
      return;
    }
    let text = 0;
    for (let at = lower.indexOf(wanted); at >= 0;) {
      // The last text that begins at or before the place; empty texts contain nothing.
      text = firstAtOrAfter(starts, at + 1, text, starts.length) - 1;
      if (at + wanted.length <= starts[text + 1]) {
        this.found[first + text] = 1;
        at = lower.indexOf(wanted, starts[text + 1]);
      } else {
        at = lower.indexOf(wanted, at + 1);
      }
    }
  }
}

// The names of a chart, by the chart's own numbers: as texts, or as numbers of packed texts.
export class Names {
  constructor(list, packed) {
    this.list = list || [];
    this.packed = packed;
  }

  get length() { return this.list.length; }

  at(index) { return this.packed ? texts.at(this.list[index]) : String(this.list[index] ?? ""); }

  * all() {
    for (let index = 0; index < this.length; ++index)
      yield this.at(index);
  }

  // As a cell: the number of a packed text, or the text.
  cell(index) { return this.packed ? this.list[index] : this.at(index); }

  // For each name, 1 if all matchers accept it.
  matching(matchers) {
    const found = new Uint8Array(this.length).fill(1);
    for (const matcher of matchers) {
      const hits = this.packed ? texts.matching(matcher) : null;
      for (let index = 0; index < found.length; ++index)
        if (found[index])
          found[index] =
              (hits ? hits.has(this.list[index]) : matcher(haystack(this.list[index]))) ? 1 : 0;
    }
    return found;
  }
}
