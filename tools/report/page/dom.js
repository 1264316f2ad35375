// dom.js - elements made from text. Nothing of the document is ever parsed as markup.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

function make(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function makeSvg(tag, attributes, ...children) {
  return fill(document.createElementNS(SvgSpace, tag), attributes, children);
}

// A name of the document, isolated from the direction of the text around it.
function makeName(text, limit) {
  return make("bdi", {class: "name", text: shownName(text, limit)});
}

function makeButton(text, handler, attributes) {
  return make("button", Object.assign({type: "button", text, on: {click: handler}}, attributes));
}

function byId(id) { return document.getElementById(id); }

// Said to those who hear the page. Cleared first: the same words twice are said twice.
function announce(text) {
  const status = byId("status");
  status.textContent = "";
  requestAnimationFrame(() => {
    status.textContent = escaped(cutMiddle(text, 400));
  });
}

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

// Elements with more to say: an element may have a function that makes the lines only when asked.
const tooltipMakers = new WeakMap();

function withTooltip(element, lines) {
  tooltipMakers.set(element, lines);
  element.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "touch")
      tooltip.show(tooltipMakers.get(element)(), event.clientX, event.clientY);
  });
  element.addEventListener("pointerleave", tooltip.hide);
  return element;
}

// Gives the browser its turn in long work; a message comes sooner than a timer.
function pause() {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });
}

function later(milliseconds, action) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), milliseconds);
  };
}

// One call a frame, whatever asks for it.
function oncePerFrame(action) {
  let asked = false;
  return () => {
    if (asked)
      return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      action();
    });
  };
}

function whenResized(element, action) {
  let width = element.clientWidth;
  new ResizeObserver(oncePerFrame(() => {
    if (element.clientWidth === width || !element.clientWidth)
      return;
    width = element.clientWidth;
    action();
  })).observe(element);
}

function styleValue(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function download(name, type, parts) {
  const address = URL.createObjectURL(new Blob(parts, {type}));
  const anchor = make("a", {href: address, download: name});
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    // No clipboard for this page: the older way, from a field.
    const field = make("textarea", {class: "unseen", "aria-hidden": "true"});
    field.value = text;
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}

// Storage is forbidden to some pages of file: addresses.
function remembered(key, otherwise) {
  try {
    return localStorage.getItem(`seamscope-${key}`) || otherwise;
  } catch (error) { return otherwise; }
}

function remember(key, value) {
  try {
    localStorage.setItem(`seamscope-${key}`, value);
  } catch (error) {
    // It is not remembered, and that is all.
  }
}
