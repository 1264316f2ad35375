// themed.js - charts with colours read from the style: redrawn when these change.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

const themed = {
  all: new Set(),
  add(chart) { this.all.add(chart); },
  forget() {
    for (const chart of this.all)
      if (!chart.element.isConnected && chart.drawn)
        this.all.delete(chart);
  },
  redraw() {
    for (const chart of this.all)
      if (chart.element.isConnected)
        chart.render();
      else
        this.all.delete(chart);
  },
};

export {themed};
