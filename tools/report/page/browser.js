// browser.js - what the browser stores or takes for the reader: files, clipboard, storage.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {make} from "./dom.js";

export function download(name, type, parts) {
  const address = URL.createObjectURL(new Blob(parts, {type}));
  const anchor = make("a", {href: address, download: name});
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    // The page has no clipboard: the older way, from a text field.
    const field = make("textarea", {class: "unseen", "aria-hidden": "true"});
    field.value = text;
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}

// Some pages of file: addresses must not use storage.
export function remembered(key, otherwise) {
  try {
    return localStorage.getItem(`seamscope-${key}`) || otherwise;
  } catch (error) { return otherwise; }
}

export function remember(key, value) {
  try {
    localStorage.setItem(`seamscope-${key}`, value);
  } catch (error) {
    // The setting is not stored; nothing else is lost.
  }
}
