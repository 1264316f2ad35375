// main.js - starts the page: reads the document, and shows what the address asks for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {readDocument, report} from "./document.js";
import {byId, make, makeName} from "./dom.js";
import {exposeToTests} from "./inspect.js";
import {makeItem} from "./items.js";
import {attachKeyboard, showHelp} from "./keyboard.js";
import {targetOf} from "./links.js";
import {makeNavigation, showFound} from "./navigation.js";
import {panel} from "./panel.js";
import {applyAddress, goTo} from "./places.js";
import {attachPrint, prepareForPrint} from "./print.js";
import {search} from "./search.js";
import {readAddress} from "./state.js";
import {shownName} from "./text.js";
import {attachTheme, setRememberedTheme} from "./theme.js";

function showFailure(error) {
  byId("main").replaceChildren(make("p", {
    class: "note warning",
    role: "alert",
    text: `This report cannot be shown: ${shownName(error.message, 300)}`
  }));
}

function start() {
  setRememberedTheme();
  try {
    readDocument();
  } catch (error) {
    showFailure(error);
    return;
  }
  byId("loading").textContent = "Unpacking …";
  byId("loading").hidden = true;
  byId("document-title").append(makeName(report.title, 120));
  byId("brand").textContent = `Seamscope ${report.verb}`;
  readAddress();
  panel.attach(byId("panel"), makeItem);
  makeNavigation();
  search.attach(byId("search"), {showFound, goTo});
  attachKeyboard();
  attachPrint();
  attachTheme();
  byId("help").addEventListener("click", showHelp);
  byId("skip").addEventListener("click", (event) => {
    // The address matches what is shown.
    event.preventDefault();
    byId("main").focus();
  });
  exposeToTests();
  addEventListener("popstate", applyAddress);
  document.addEventListener("click", (event) => {
    const anchor = event.target instanceof Element ? event.target.closest("a") : null;
    const target = anchor && targetOf(anchor);
    // With a modifier key, it opens elsewhere by its address.
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey || event.button)
      return;
    event.preventDefault();
    goTo(target);
  });
  Promise.resolve(applyAddress()).then(() => requestAnimationFrame(() => setTimeout(() => {
    performance.mark("seamscope-ready");
    document.documentElement.dataset.ready = "true";
    return prepareForPrint();
  })));
}

start();
