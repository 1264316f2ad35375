// dom.js - elements made from text. No text of the document is ever parsed as markup.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {cutMiddle, escaped, shownName} from "./text.js";
import {oncePerFrame} from "./timing.js";

const SvgSpace = "http://www.w3.org/2000/svg";

// Attribute names are the program's own; only their values and the text can be data.
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false)
      continue;
    if (name === "text")
      element.textContent = value;
    else if (name === "on")
      for (const [event, handler] of Object.entries(value))
        element.addEventListener(event, handler);
    else
      element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children)
    if (child !== null && child !== undefined)
      element.append(child);
  return element;
}

export function make(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function makeSvg(tag, attributes, ...children) {
  return fill(document.createElementNS(SvgSpace, tag), attributes, children);
}

// A name of the document, isolated from the direction of the text around it.
export function makeName(text, limit) {
  return make("bdi", {class: "name", text: shownName(text, limit)});
}

export function makeButton(text, handler, attributes) {
  return make("button", Object.assign({type: "button", text, on: {click: handler}}, attributes));
}

export function byId(id) { return document.getElementById(id); }

// Announced by screen readers. Cleared first, so that the same words are announced twice.
export function announce(text) {
  const status = byId("status");
  status.textContent = "";
  requestAnimationFrame(() => {
    status.textContent = escaped(cutMiddle(text, 400));
  });
}

export function whenResized(element, action) {
  let width = element.clientWidth;
  new ResizeObserver(oncePerFrame(() => {
    if (element.clientWidth === width || !element.clientWidth)
      return;
    width = element.clientWidth;
    action();
  })).observe(element);
}

export function styleValue(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
