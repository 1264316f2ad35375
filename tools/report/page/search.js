// search.js - the one search: it filters everything, and says where something was found.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

const search = {
  input: null,

  attach(input) {
    this.input = input;
    input.value = stateValue("q") || "";
    input.addEventListener("input", later(180, () => this.apply(input.value)));
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        this.clear();
        event.stopPropagation();
      } else if (event.key === "Enter") {
        this.apply(input.value);
        this.goToFound();
      }
    });
  },

  clear() {
    this.input.value = "";
    this.apply("");
  },

  apply(query) {
    if (query === (stateValue("q") || "") && query === this.applied)
      return;
    this.applied = query;
    setState("q", query);
    const matcher = makeMatcher(query);
    this.input.setAttribute("aria-invalid", String(matcher instanceof Error));
    this.input.title = matcher instanceof Error ? shownName(matcher.message, 200) : "";
    const usable = matcher instanceof Error ? null : matcher;
    for (const section of report.sections)
      if (section.element)
        this.applyTo(section, query, usable);
    // What is still packed is searched, too.
    if (usable && report.sections.some(isPacked))
      Promise.all(report.sections.map(unpack)).then(() => {
        if (this.applied === query)
          this.count(query, usable);
      });
    else
      this.count(query, usable);
  },

  count(query, usable) {
    for (const section of report.sections)
      section.found = usable ? this.countIn(section, query, usable) : null;
    updateNavigation();
    if (usable) {
      const total = report.sections.reduce((sum, section) => sum + section.found, 0);
      announce(`${plural(total, "match", "matches")} in ${
          plural(report.sections.filter((section) => section.found).length, "section")}`);
    }
  },

  // What is shown already follows the search; what is made later reads it from the state.
  applyTo(section, query, matcher) {
    for (const view of section.tableViews)
      if (view.model.common !== query)
        view.setFilter(view.model.query, query);
    for (const chart of section.chartViews)
      if (chart.seek && chart.common !== query) {
        chart.common = query;
        chart.seek();
      }
    for (const {element, text} of section.searchables)
      element.hidden = Boolean(matcher) && !matcher(text);
  },

  countIn(section, query, matcher) {
    let found = 0;
    const visit = (item) => {
      if (!item || typeof item !== "object")
        return;
      if (item.type === "table") {
        if (item.failure)
          return;
        const model = this.modelOf(item);
        const test = model.rowTest(matcher);
        for (let row = 0; row < model.count; ++row)
          found += test(row) ? 1 : 0;
      } else if (item.type === "pair") {
        (item.items || []).forEach(visit);
      } else if (item.type === "chart") {
        const data = item.data || {};
        for (const {names, packed} of [data, ...(data.views || [])])
          found += new Names(names, Boolean(packed))
                       .matching([matcher])
                       .reduce((sum, hit) => sum + hit, 0);
      } else {
        const texts = [item.kind, item.text, item.remedy, item.title, ...(item.lines || [])];
        found += texts.some((text) => typeof text === "string" && matcher(haystack(text))) ? 1 : 0;
      }
    };
    section.items.forEach(visit);
    return found;
  },

  modelOf(spec) {
    if (!spec.model)
      spec.model = new TableModel(spec);
    return spec.model;
  },

  goToFound() {
    const now = report.sections.find((section) => section.id === stateValue("at"));
    if (now && now.found)
      return;
    const other = report.sections.find((section) => section.found);
    if (other)
      goTo({section: other});
  },
};
