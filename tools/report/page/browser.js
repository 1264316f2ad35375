// browser.js - what the browser keeps or takes for the reader: files, clipboard, storage.
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
export function remembered(key, otherwise) {
  try {
    return localStorage.getItem(`seamscope-${key}`) || otherwise;
  } catch (error) { return otherwise; }
}

export function remember(key, value) {
  try {
    localStorage.setItem(`seamscope-${key}`, value);
  } catch (error) {
    // It is not remembered, and that is all.
  }
}
