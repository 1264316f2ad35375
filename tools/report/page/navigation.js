// navigation.js - the list of sections, with the number of search matches in each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {report} from "./document.js";
import {byId, make} from "./dom.js";
import {targetAddress, toTarget} from "./links.js";
import {stateValue} from "./state.js";
import {shownCount, shownName} from "./text.js";

const entries = new Map();  // by section: { anchor, badge }
let found = new Map();      // matches by section, during a search

export function makeNavigation() {
  const list = make("ol");
  for (const section of report.sections) {
    const badge = make("span", {class: "badge", hidden: true});
    const anchor = toTarget(make("a", {href: targetAddress({section})},
                                make("bdi", {text: shownName(section.title, 60)}), badge),
        {section});
    entries.set(section, {anchor, badge});
    list.append(make("li", {}, anchor));
  }
  byId("nav").append(
      list, make("p", {class: "faint version"}, `Seamscope ${shownName(report.version, 40)}`));
  byId("nav-toggle")
      .addEventListener(
          "click", () => openNavigation(!document.body.classList.contains("nav-open")));
}

export function openNavigation(open) {
  document.body.classList.toggle("nav-open", open);
  byId("nav-toggle").setAttribute("aria-expanded", String(open));
}

export function updateNavigation() {
  const at = stateValue("at");
  for (const [section, {anchor, badge}] of entries) {
    if (section.id === at)
      anchor.setAttribute("aria-current", "page");
    else
      anchor.removeAttribute("aria-current");
    const counted = found.has(section);
    badge.hidden = !counted;
    badge.textContent = counted ? shownCount(found.get(section)) : "";
    anchor.classList.toggle("without-match", counted && !found.get(section));
  }
}

export function showFound(counts) {
  found = counts;
  updateNavigation();
}
