// print.js - on paper: all sections, light, with the first rows of each table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {report} from "./document.js";
import {byId, make} from "./dom.js";
import {ensureSection} from "./places.js";
import {stateValue} from "./state.js";
import {tableViewOf} from "./table-view.js";
import {shownName} from "./text.js";
import {showThemeForPrint} from "./theme.js";
import {themed} from "./themed.js";
import {isPacked, unpack} from "./unpack.js";

const PrintedRows = 40;
// A page with fewer characters than this is unpacked ahead of time, as a printing browser does not
// wait.
const PreparedSize = 2 << 20;

function standIn(section) {
  return make("section", {class: "page-section stand-in"},
      make("h2", {text: shownName(section.title, 120)}),
      make("p", {class: "note", text: "Not printed: open this section first."}));
}

export async function prepareForPrint() {
  let size = 0;
  for (const script of document.scripts)
    size += script.textContent.length;
  if (size > PreparedSize)
    return;
  for (const section of report.sections) {
    if (isPacked(section))
      await unpack(section);
    if (!section.element && section.items.some((item) => item && item.kind === "timeline")) {
      ensureSection(section);
      section.element.hidden = section.id !== stateValue("at");
    }
  }
}

export function attachPrint() {
  addEventListener("beforeprint", () => {
    showThemeForPrint(true);
    document.body.classList.add("printing");
    for (const section of report.sections) {
      if (isPacked(section)) {
        byId("main").append(standIn(section));
        continue;
      }
      ensureSection(section);
      section.element.hidden = false;
    }
    themed.redraw();
    for (const section of report.sections)
      for (const chart of section.chartViews)
        if (chart.ready === false)
          chart.progress.textContent = "Not printed: open the timeline first.";
        else if (chart.paint)
          chart.paint();
    for (const element of document.querySelectorAll("section.table"))
      tableViewOf(element).renderForPrint(PrintedRows);
  });
  addEventListener("afterprint", () => {
    document.body.classList.remove("printing");
    showThemeForPrint(false);
    for (const element of document.querySelectorAll(".stand-in"))
      element.remove();
    for (const section of report.sections)
      if (section.element)
        section.element.hidden = section.id !== stateValue("at");
    for (const element of document.querySelectorAll("section.table"))
      tableViewOf(element).renderAfterPrint();
    themed.redraw();
  });
}
