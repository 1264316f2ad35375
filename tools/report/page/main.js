// main.js - puts the page together: navigation, sections, theme, and what the address asks for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

const Themes = ["system", "light", "dark"];

function setTheme(theme) {
  if (theme === "system")
    delete document.documentElement.dataset.theme;
  else
    document.documentElement.dataset.theme = theme;
  const label = `Colours: ${theme === "system" ? "as the system" : theme}`;
  byId("theme").setAttribute("aria-label", label);
  byId("theme").title = `${label} (t)`;
  byId("theme").textContent = {system: "◐", light: "☀", dark: "☾"}[theme];
  themed.redraw();
}

function nextTheme() {
  currentTheme = Themes[(Themes.indexOf(currentTheme) + 1) % Themes.length];
  remember("theme", currentTheme);
  setTheme(currentTheme);
  announce(byId("theme").getAttribute("aria-label"));
}

// Where nothing is remembered the page still remembers while it is open.
let currentTheme = "system";

function makeNavigation() {
  const list = make("ol");
  for (const section of report.sections) {
    section.badge = make("span", {class: "badge", hidden: true});
    section.anchor = toTarget(make("a", {href: targetAddress({section})},
                                  make("bdi", {text: shownName(section.title, 60)}), section.badge),
        {section});
    list.append(make("li", {}, section.anchor));
  }
  byId("nav").append(
      list, make("p", {class: "faint version"}, `Seamscope ${shownName(report.version, 40)}`));
  byId("nav-toggle")
      .addEventListener(
          "click", () => openNavigation(!document.body.classList.contains("nav-open")));
}

function openNavigation(open) {
  document.body.classList.toggle("nav-open", open);
  byId("nav-toggle").setAttribute("aria-expanded", String(open));
}

function updateNavigation() {
  const at = stateValue("at");
  for (const section of report.sections) {
    if (section.id === at)
      section.anchor.setAttribute("aria-current", "page");
    else
      section.anchor.removeAttribute("aria-current");
    const counted = typeof section.found === "number";
    section.badge.hidden = !counted;
    section.badge.textContent = counted ? shownCount(section.found) : "";
    section.anchor.classList.toggle("without-match", counted && !section.found);
  }
}

function ensureSection(section) {
  if (section.element)
    return;
  section.element = makeSection(section);
  // In the document's order, whatever was opened first.
  const after =
      report.sections.slice(report.sections.indexOf(section) + 1).find((other) => other.element);
  byId("main").insertBefore(section.element, after ? after.element : null);
  const query = stateValue("q");
  const matcher = makeMatcher(query);
  if (query && typeof matcher === "function")
    search.applyTo(section, query, matcher);
}

function showSection(section) {
  ensureSection(section);
  for (const other of report.sections)
    if (other.element)
      other.element.hidden = other !== section;
  state.values.set("at", section.id);
  document.title = shownName(`${section.title} – ${report.title || "Seamscope"}`, 160);
  openNavigation(false);
  updateNavigation();
  themed.redraw();
  for (const view of section.tableViews)
    view.renderRows(true);
}

function viewOf(section, table) {
  return section.tableViews.find((view) => view.id === table) || null;
}

function chartOf(section, chart) {
  return section.chartViews.find((view) => view.key === chart) || null;
}

// The section that is being unpacked to be shown.
let awaited = null;

// Goes to what a link points to. `quiet`: the address says it already. A promise where what is
// there must be unpacked first.
function goTo(target, quiet) {
  const {section} = target;
  awaited = isPacked(section) ? target : null;
  byId("loading").hidden = awaited === null;
  if (awaited)
    return unpack(section).then(() => awaited === target ? goTo(target, quiet) : undefined);
  const moved = stateValue("at") !== section.id;
  if (!quiet) {
    const values = {at: section.id};
    if (Number.isInteger(target.row))
      values.row = `${target.table}.${target.row}`;
    else if (target.table)
      values.table = target.table;
    else if (target.chart)
      values.chart = target.chart;
    visit(values);
  }
  showSection(section);
  if (!target.table && !target.chart) {
    panel.close();
    if (moved && !quiet) {
      scrollTo(0, 0);
      byId(`heading-${section.id}`).focus({preventScroll: true});
    }
    return;
  }
  if (target.chart) {
    const chart = chartOf(section, target.chart);
    if (chart) {
      chart.element.scrollIntoView({block: "start"});
      (chart.canvas || chart.element).focus({preventScroll: true});
    }
    return;
  }
  const view = viewOf(section, target.table);
  if (!view)
    return;
  view.element.scrollIntoView({block: "nearest"});
  if (Number.isInteger(target.row)) {
    view.reveal(target.row);
    view.open(target.row);
    view.element.scrollIntoView({block: "nearest"});
  }
  view.grid.focus({preventScroll: true});
}

// Makes the page show what its address says.
// A promise where that takes more than this call.
function applyAddress() {
  state.values = readAddress();
  state.applying = true;
  try {
    const query = stateValue("q") || "";
    if (byId("search").value !== query || query) {
      byId("search").value = query;
      search.applied = null;
      search.apply(query);
    }
    const row = readRow();
    let section =
        report.sections.find((entry) => entry.id === stateValue("at")) || report.sections[0];
    const table = report.tables.get(row ? row.table : stateValue("table") || "");
    const chart = report.charts.get(stateValue("chart") || "");
    if (table)
      section = table.section;
    else if (chart)
      section = chart.section;
    if (!section)
      return undefined;
    for (const view of section.element ? section.tableViews : []) {
      view.applySort(stateValue(`sort.${view.id}`));
      const filter = stateValue(`filter.${view.id}`) || "";
      if (view.model.query !== filter)
        view.setFilter(view.tools.filter.value = filter, query);
      view.refresh();
    }
    const target = {section};
    if (table && (!row || row.row < rowCount(table.spec)))
      Object.assign(target, {table: table.spec.key, row: row ? row.row : null});
    else if (chart)
      target.chart = chart.item.key;
    return goTo(target, true);
  } finally { state.applying = false; }
}

function showFailure(error) {
  byId("main").replaceChildren(make("p", {
    class: "note warning",
    role: "alert",
    text: `This report cannot be shown: ${shownName(error.message, 300)}`
  }));
}

function start() {
  currentTheme = remembered("theme", "system");
  if (!Themes.includes(currentTheme))
    currentTheme = "system";
  setTheme(currentTheme);
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
  state.values = readAddress();
  panel.attach(byId("panel"));
  makeNavigation();
  search.attach(byId("search"));
  attachKeyboard();
  attachPrint();
  byId("theme").addEventListener("click", nextTheme);
  byId("help").addEventListener("click", showHelp);
  byId("skip").addEventListener("click", (event) => {
    // The address belongs to what is shown.
    event.preventDefault();
    byId("main").focus();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => themed.redraw());
  addEventListener("popstate", applyAddress);
  document.addEventListener("click", (event) => {
    const anchor = event.target instanceof Element ? event.target.closest("a") : null;
    const target = anchor && anchorTargets.get(anchor);
    // With a key held it opens elsewhere, by its address.
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
