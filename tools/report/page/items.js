// items.js - each kind of item of a section or of the panel as elements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {makeBars, makeHistogram, makeWaterfall} from "./charts.js";
import {makeCode} from "./code.js";
import {report} from "./document.js";
import {make, makeButton, makeName} from "./dom.js";
import {FlameChart} from "./flame.js";
import {linkTarget, makeLink} from "./links.js";
import {makeRanks} from "./ranks.js";
import {makeRoofline} from "./roofline.js";
import {makeSeries} from "./series.js";
import {makeSpread} from "./spread.js";
import {TableView} from "./table-view.js";
import {haystack, plural, shownName, shownProse, shownTime} from "./text.js";
import {TimelineChart} from "./timeline.js";
import {withTooltip} from "./tooltip.js";

const FindingsAtFirst = 3;

function makeNote(item) {
  return make("p", {class: item.level === "warning" ? "note warning" : "note"},
      item.level === "warning" ? make("strong", {class: "unseen", text: "Warning: "}) : null,
      make("bdi", {text: shownProse(item.text || "")}));
}

function makeFinding(item) {
  const facts = make("p", {class: "finding-facts"});
  if (typeof item.saving_ns === "number")
    facts.append(make("span", {text: "at most "}),
        make("strong", {text: shownTime(item.saving_ns)}), make("span", {text: " to save"}));
  if (typeof item.share === "number")
    facts.append(make("span", {class: "share", text: `${(item.share * 100).toFixed(1)}%`}));
  const link =
      linkTarget(item.link) ? makeLink(item.link, "Show the evidence", {class: "evidence"}) : null;
  const share = make("span", {class: "finding-bar", "aria-hidden": "true"});
  share.style.width = `${Math.max(0, Math.min(1, item.share || 0)) * 100}%`;
  return make("article", {class: "finding"},
      make("p", {class: "finding-kind"}, makeName(item.kind || "finding", 60)), facts,
      make("p", {class: "finding-text"}, make("bdi", {text: shownProse(item.text || "")})),
      item.remedy ?
          make("p", {class: "finding-remedy"}, make("bdi", {text: shownProse(item.remedy)})) :
          null,
      link, item.share ? share : null);
}

function makeFindings(items, section) {
  const summary = section && section.id === "summary";
  const first = summary ? items.slice(0, FindingsAtFirst) : items;
  const box = make("div", {class: "findings"},
      ...first.map(
          (item) => searchable(section, makeFinding(item), [item.kind, item.text, item.remedy])));
  const rest = items.slice(first.length);
  if (!rest.length)
    return box;
  const more = make("div", {class: "findings", hidden: true});
  const button = makeButton(plural(rest.length, "more finding"), () => {
    more.hidden = false;
    button.remove();
    more.querySelector("a, button, article")?.focus();
  }, {class: "more"});
  more.append(...rest.map(
      (item) => searchable(section, makeFinding(item), [item.kind, item.text, item.remedy])));
  return make("div", {}, box, button, more);
}

// Remembers what the global search shows and hides.
function searchable(section, element, texts) {
  if (section)
    section.searchables.push({element, text: texts.filter(Boolean).map(haystack).join("\n")});
  return element;
}

function makeChart(item) {
  switch (item.kind) {
    case "waterfall": return makeWaterfall(item);
    case "histogram": return makeHistogram(item);
    case "bars": return makeBars(item);
    case "series": return makeSeries(item);
    case "flame": return new FlameChart(item);
    case "timeline": return new TimelineChart(item);
    case "roofline": return makeRoofline(item);
    case "ranks": return makeRanks(item);
    case "spread": return makeSpread(item);
    default:
      return {
        element: makeNote({text: `A chart of a kind that this page does not know: ${item.kind}`})
      };
  }
}

// A title that repeats the section's is for screen readers only.
function hideRepeated(heading, section) {
  if (heading && heading.textContent === section.title)
    heading.classList.add("unseen");
}

// If an item cannot be shown, the others still are.
export function makeItem(item, options = {}) {
  try {
    return itemElement(item || {}, options);
  } catch (error) {
    const text = `This part cannot be shown: ${shownName(error.message, 200)}`;
    return make("p", {class: "note warning", text});
  }
}

function itemElement(item, {section = null, compact = false}) {
  switch (item.type) {
    case "note": return searchable(section, makeNote(item), [item.text]);
    case "finding": return makeFindings([item], section);
    case "table": {
      const view = new TableView(item, {id: section ? item.key : null, compact});
      if (section) {
        section.tableViews.push(view);
        hideRepeated(view.tools.heading, section);
      }
      return view.element;
    }
    case "code":
      return searchable(section, makeCode(item), [item.title, ...(item.lines || []).map(String)]);
    case "pair":
      return make("div", {class: "pair"},
          ...(item.items || []).map((inner) => makeItem(inner, {section, compact: true})));
    case "chart": {
      const chart = makeChart(item);
      if (section) {
        section.chartViews.push(chart);
        chart.key = item.key;
        hideRepeated(chart.element.querySelector(".chart-title"), section);
      }
      return chart.element;
    }
    default:
      return make("p", {
        class: "note",
        text: `An item of a type that this page does not know: ${shownName(item.type, 40)}`
      });
  }
}

// The elements of a section; adjacent findings form one block.
export function makeSection(section) {
  const element = make("section", {
    class: "page-section",
    id: `section-${section.id}`,
    "aria-labelledby": `heading-${section.id}`
  },
      make("h2",
          {id: `heading-${section.id}`, tabindex: "-1", text: shownName(section.title, 120)}));
  if (section.id === "summary" && report.facts.length)
    element.append(makeFacts());
  let index = 0;
  while (index < section.items.length) {
    const item = section.items[index];
    if (item && item.type === "finding") {
      const run = [];
      while (index < section.items.length && section.items[index] &&
          section.items[index].type === "finding")
        run.push(section.items[index++]);
      element.append(makeFindings(run, section));
      continue;
    }
    ++index;
    element.append(makeItem(item, {section}));
  }
  if (!section.items.length)
    element.append(make("p", {class: "empty", text: "Nothing here."}));
  return element;
}

function makeFacts() {
  return make("dl", {class: "facts-line"},
      ...report.facts.map(
          ([label, text]) => make("div", {}, make("dt", {text: shownName(label, 60)}),
              withTooltip(
                  make("dd", {}, makeName(text, 120)), () => [String(label), String(text)]))));
}
