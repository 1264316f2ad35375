// flame-layout.js - the position of each node of a flame graph: depth, begin and width.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {Splits} from "./splits.js";
import {Names} from "./texts.js";

export class FlameLayout {
  constructor(view) {
    const count = view.parent.length;
    this.names = new Names(view.names, Boolean(view.packed));
    this.parent = view.parent;
    this.name = view.name;
    this.self = view.self;
    this.count = view.count || [];
    this.size = count;
    this.value = new Float64Array(count);
    this.depth = new Uint16Array(count);
    this.begin = new Float64Array(count);
    this.last = new Int32Array(count);  // the last node below each one, consecutive in preorder
    // Nodes are in preorder: children come after their parent.
    for (let node = count - 1; node >= 0; --node) {
      this.value[node] += Math.max(0, this.self[node] || 0);
      const above = this.parent[node];
      if (above >= 0 && above < node)
        this.value[above] += this.value[node];
      this.last[node] = Math.max(this.last[node], node);
      if (above >= 0 && above < node)
        this.last[above] = Math.max(this.last[above], this.last[node]);
    }
    const used = new Float64Array(count);
    let total = 0;
    this.roots = [];
    this.greatestDepth = 0;
    for (let node = 0; node < count; ++node) {
      const above = this.parent[node];
      if (above >= 0 && above < node) {
        this.depth[node] = Math.min(65535, this.depth[above] + 1);
        this.begin[node] = this.begin[above] + used[above];
        used[above] += this.value[node];
      } else {
        this.roots.push(node);
        this.begin[node] = total;
        total += this.value[node];
      }
      this.greatestDepth = Math.max(this.greatestDepth, this.depth[node]);
    }
    this.total = total;
  }

  get splits() {
    this.knownSplits = this.knownSplits || new Splits(this.names.all());
    return this.knownSplits;
  }

  nameOf(node) { return this.names.at(this.name[node]); }

  ancestors(node) {
    const path = [];
    for (let at = node; at >= 0; at = this.parent[at])
      path.unshift(at);
    return path;
  }

  // Numbers of the visible nodes, zoomed to a node (-1: all), that are at least `least` wide.
  visit(root, least, action) {
    const first = root < 0 ? 0 : root, last = root < 0 ? this.size - 1 : this.last[root];
    for (let node = first; node <= last; ++node) {
      if (this.value[node] < least) {
        // Nodes below a sliver are slivers too.
        node = this.last[node];
        continue;
      }
      action(node);
    }
  }

  depthBelow(root, least) {
    let deepest = root < 0 ? 0 : this.depth[root];
    this.visit(root, least, (node) => {
      deepest = Math.max(deepest, this.depth[node]);
    });
    return deepest - (root < 0 ? 0 : this.depth[root]);
  }
}
