// tooltip.js - the lines shown next to the pointer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {byId, make} from "./dom.js";
import {tooltipText} from "./text.js";

const tooltip = {
  show(lines, x, y) {
    const box = byId("tooltip");
    box.replaceChildren(...lines.map((line, index) => make(index ? "div" : "strong", {},
                                         make("bdi", {text: tooltipText(line)}))));
    box.hidden = false;
    const bounds = box.getBoundingClientRect();
    const left = Math.max(4, Math.min(x + 14, window.innerWidth - bounds.width - 8));
    const below = y + 18;
    const top =
        below + bounds.height > window.innerHeight ? Math.max(4, y - bounds.height - 10) : below;
    box.style.left = `${left}px`;
    box.style.top = `${top}px`;
  },
  hide() { byId("tooltip").hidden = true; },
};

export {tooltip};

// Elements with a tooltip: an element may have a function that creates the lines on request.
const tooltipMakers = new WeakMap();

export function withTooltip(element, lines) {
  tooltipMakers.set(element, lines);
  element.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "touch")
      tooltip.show(tooltipMakers.get(element)(), event.clientX, event.clientY);
  });
  element.addEventListener("pointerleave", tooltip.hide);
  return element;
}
