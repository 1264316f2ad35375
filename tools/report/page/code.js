// code.js - source lines with the time spent on each as heat behind them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {make, makeButton, makeName} from "./dom.js";
import {escaped, shownCount, shownName, shownTime} from "./text.js";

const CodeLimit = 1000;  // characters of a line
const LinesAtFirst = 3000;

// Words, one string for each line.
function words(...lines) { return new Set(lines.join(" ").split(" ")); }

const keywords = {
  cpp: words("alignas auto bool break case catch char class const constexpr continue decltype",
      "default delete do double else enum explicit extern false float for friend if inline int",
      "long namespace new nullptr operator private protected public return short signed sizeof",
      "static static_assert struct switch template this throw true try typedef typename union",
      "unsigned using virtual void volatile while",
      "__global__ __device__ __host__ __shared__ __restrict__"),
  python: words("and as assert async await break class continue def del elif else except False",
      "finally for from global if import in is lambda None nonlocal not or pass raise return",
      "True try while with yield"),
};

const tokens = {
  cpp: /(\/\/.*$|\/\*.*?\*\/)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(\b\d[\w.']*)|([A-Za-z_]\w*)/g,
  python: /(#.*$)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(\b\d[\w.]*)|([A-Za-z_]\w*)/g,
};

function appendCode(element, text, language) {
  const pattern = tokens[language];
  if (!pattern) {
    element.append(text);
    return;
  }
  let done = 0;
  for (const found of text.matchAll(pattern)) {
    const kind = found[1]                ? "comment" :
        found[2]                         ? "string" :
        found[3]                         ? "number" :
        keywords[language].has(found[4]) ? "keyword" :
                                           null;
    if (!kind)
      continue;
    element.append(
        text.slice(done, found.index), make("span", {class: `code-${kind}`, text: found[0]}));
    done = found.index + found[0].length;
  }
  element.append(text.slice(done));
}

// Tabs are the only control characters that code shows unchanged.
function shownCodeLine(line) {
  const cut = line.length > CodeLimit ? `${line.slice(0, CodeLimit)}…` : line;
  return cut.split("\t").map(escaped).join("    ");
}

function isNumber(value) { return typeof value === "number"; }

function percentText(share) { return `${(share * 100).toFixed(1)}%`; }

// Where instructions of a kernel retired. Within one loop that is not where the time went.
function sampleCell(samples) {
  const cell = make("td", {class: "code-samples"});
  if (![samples?.samples, samples?.share, samples?.low, samples?.high].every(isNumber))
    return cell;
  cell.textContent = percentText(samples.share);
  cell.title = `${shownCount(samples.samples)} samples retired here: ` +
      `${percentText(samples.low)} to ${percentText(samples.high)} of the kernel's (95 %)`;
  return cell;
}

// Times of lines say more than samples, but a kernel whose loops were not timed has one time only.
function heatOf(item) {
  const shares = item.samples?.map((each) => each?.share ?? null);
  return shares && (item.heat || []).filter(isNumber).length < 2 ? shares : item.heat || [];
}

// What a line executed, as the tool writes it.
const WorkHeads = ["FLOPs", "Read", "Written", "Math"];

// Those with text in a line.
function workColumns(item) {
  return [...WorkHeads.keys()].filter(
      (column) => column < 3 || item.work.some((each) => each?.[column]));
}

function codeLine(item, index, heats, greatest, total, columns) {
  const heat = item.heat ? item.heat[index] : null;
  const known = isNumber(heat);
  const share = isNumber(heats[index]) && greatest > 0 ? heats[index] / greatest : 0;
  const text = make("td", {class: "code-text"});
  if (share > 0) {
    // Levels of one colour, so that the text keeps its contrast.
    text.classList.add(`heat-${Math.min(5, Math.max(1, Math.ceil(share * 5)))}`);
  }
  const code = make("code");
  appendCode(code, shownCodeLine(String(item.lines[index])), item.language);
  text.append(code);
  const cells = [];
  if (item.heat) {
    const value = make("td", {class: "code-heat"}, known ? shownTime(heat) : "");
    if (known && total > 0)
      value.title = `${(heat / total * 100).toFixed(1)}% of what these lines took`;
    cells.push(value,
        make("td", {class: "code-share"},
            known && total > 0 ? `${(heat / total * 100).toFixed(1)}%` : ""));
  }
  if (item.samples)
    cells.push(sampleCell(item.samples[index]));
  if (item.work)
    for (const column of columns)
      cells.push(make("td", {class: "code-work", text: String(item.work[index]?.[column] ?? "")}));
  if (item.roofs)
    cells.push(make("td", {class: "code-work", text: String(item.roofs[index] ?? "")}));
  return make("tr", {}, ...cells,
      make("th", {class: "code-number", scope: "row", text: String((item.first ?? 1) + index)}),
      text);
}

export function makeCode(item) {
  const lines = item.lines || [];
  const heats = heatOf(item);
  const greatest = heats.reduce((most, heat) => isNumber(heat) ? Math.max(most, heat) : most, 0);
  const total = (item.heat || []).reduce((sum, heat) => isNumber(heat) ? sum + heat : sum, 0);
  const body = make("tbody");
  const table = make("table", {class: "code"}, body);
  table.setAttribute("aria-label", item.title ? shownName(item.title, 120) : "Source");
  const columns = item.work ? workColumns(item) : [];
  if (item.heat || item.samples || item.work || item.roofs) {
    const heads = [
      ...(item.heat ? ["Time", "Share"] : []), ...(item.samples ? ["Samples"] : []),
      ...columns.map((column) => WorkHeads[column]), ...(item.roofs ? ["Roof"] : []), "Line",
      "Source"
    ];
    table.prepend(make("thead", {class: "unseen-head"},
        make("tr", {}, ...heads.map((text) => make("th", {scope: "col", text})))));
  }
  let made = 0;
  const add = (until) => {
    for (; made < Math.min(until, lines.length); ++made)
      body.append(codeLine(item, made, heats, greatest, total, columns));
  };
  add(LinesAtFirst);
  const scroll = make("div", {
    class: "code-scroll",
    tabindex: "0",
    role: "region",
    "aria-label": item.title ? shownName(item.title, 120) : "Source"
  },
      table);
  const figure = make("figure", {class: "code-item"},
      make("figcaption", {}, makeName(item.title || "Source", 160)), scroll);
  if (!lines.length)
    figure.append(make("p", {class: "empty", text: "The source was not found."}));
  if (made < lines.length) {
    const more = makeButton(`Show all ${shownCount(lines.length)} lines`, () => {
      add(lines.length);
      more.remove();
    }, {class: "more"});
    figure.append(more);
  }
  // Readers come for the places where the time goes.
  const hottest = heats.findIndex((heat) => heat === greatest && greatest > 0);
  if (hottest > 12 && hottest < made)
    requestAnimationFrame(() => {
      const row = body.children[hottest];
      scroll.scrollTop = row.offsetTop - scroll.clientHeight / 3;
    });
  return figure;
}
