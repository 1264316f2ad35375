// keyboard.js - keys of the whole page, and the list of all keys.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {report} from "./document.js";
import {byId, make, makeButton} from "./dom.js";
import {panel} from "./panel.js";
import {goTo} from "./places.js";
import {stateValue} from "./state.js";
import {shownName} from "./text.js";
import {nextTheme} from "./theme.js";
import {timelineKey} from "./timeline-input.js";
import {TimelineChart} from "./timeline.js";
import {tooltip} from "./tooltip.js";

const AboutAddress = "The address of the page includes what is shown: copy it to share this view.";

const keyHelp = [
  [
    "Everywhere",
    [
      ["/", "search everything"], ["1 … 9", "go to a section"], ["[  ]", "previous, next section"],
      ["Esc", "close the panel, clear what is selected"], ["t", "light or dark colours"],
      ["?", "this list"]
    ]
  ],
  [
    "Tables",
    [
      ["↑ ↓, PgUp PgDn, Home End", "move between rows"], ["Enter", "open the details"],
      ["← →", "fold and unfold, or scroll"], ["Space", "select a row"],
      ["Shift ↑ ↓, Shift click", "select rows up to this one"],
      ["Ctrl click", "add a row to the selection"], ["Ctrl a", "select all rows that match"]
    ]
  ],
  [
    "Timeline",
    [
      ["w s, Ctrl wheel, pinch", "zoom"], ["a d, drag, Shift wheel", "move"], ["0", "show all"],
      ["← → ↑ ↓", "from event to event"], ["n p", "next, previous match"],
      ["r", "the selected event as the range"], ["f", "zoom to the range or the event"],
      ["drag on the ruler, Shift drag", "choose a range"]
    ]
  ],
  ["Roofline", [["← →, Home End", "from kernel to kernel"], ["Enter, click", "open its panel"]]],
  [
    "Flame graph",
    [
      ["← → ↑ ↓", "from box to box"], ["Enter, click", "zoom in"], ["Backspace", "zoom out"],
      ["0", "show all"]
    ]
  ],
];

export function showHelp() {
  let dialog = byId("help-dialog");
  if (!dialog) {
    dialog = make("dialog", {id: "help-dialog", "aria-labelledby": "help-title"},
        make("div", {class: "dialog-head"}, make("h2", {id: "help-title", text: "Keyboard"}),
            makeButton("✕", () => dialog.close(), {class: "plain icon", "aria-label": "Close"})),
        make("div", {class: "help-columns"},
            ...keyHelp.map(([title, keys]) => make("section", {}, make("h3", {text: title}),
                               make("dl", {},
                                   ...keys.map(([key, what]) => make("div", {},
                                                   make("dt", {}, make("kbd", {text: key})),
                                                   make("dd", {text: what}))))))),
        make("p",
            {class: "faint", text: `Seamscope ${shownName(report.version, 40)}. ${AboutAddress}`}));
    document.body.append(dialog);
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog)
        dialog.close();
    });
  }
  dialog.showModal();
}

function isTyping(target) {
  return target instanceof HTMLElement &&
      (target.matches("textarea, select, [contenteditable]") ||
          target.matches("input:not([type=checkbox])"));
}

function stepSection(by) {
  const index = report.sections.findIndex((section) => section.id === stateValue("at"));
  const section = report.sections[Math.max(0, index) + by];
  if (section)
    goTo({section});
}

// Keys of the timeline work without a click on it first.
function timelineInSight() {
  const section = report.sections.find((one) => one.id === stateValue("at"));
  return section && section.chartViews.find((chart) => {
    if (!(chart instanceof TimelineChart))
      return false;
    const {top, bottom} = chart.frame.getBoundingClientRect();
    return bottom > 0 && top < window.innerHeight;
  });
}

export function attachKeyboard() {
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented &&
        !document.querySelector("dialog[open]")) {
      tooltip.hide();
      panel.close();
      return;
    }
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey ||
        event.defaultPrevented || document.querySelector("dialog[open]"))
      return;
    if (event.key === "/") {
      byId("search").focus();
      byId("search").select();
    } else if (event.key === "?") {
      showHelp();
    } else if (event.key === "t") {
      nextTheme();
    } else if (event.key === "[" || event.key === "]") {
      stepSection(event.key === "[" ? -1 : 1);
    } else if (/^[wasdnp0]$/.test(event.key) && timelineInSight()) {
      timelineKey(timelineInSight(), event);
      return;
    } else if (/^[1-9]$/.test(event.key) && report.sections[Number(event.key) - 1]) {
      goTo({section: report.sections[Number(event.key) - 1]});
    } else {
      return;
    }
    event.preventDefault();
  });
}
