// theme.js - the colours of the page: as the system, light or dark.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {remember, remembered} from "./browser.js";
import {announce, byId} from "./dom.js";
import {themed} from "./themed.js";

const Themes = ["system", "light", "dark"];

// If nothing can be stored, the page remembers the theme while it is open.
let current = "system";

function showTheme(theme) {
  if (theme === "system")
    delete document.documentElement.dataset.theme;
  else
    document.documentElement.dataset.theme = theme;
}

function setTheme(theme) {
  current = theme;
  showTheme(theme);
  const label = `Colours: ${theme === "system" ? "as the system" : theme}`;
  byId("theme").setAttribute("aria-label", label);
  byId("theme").title = `${label} (t)`;
  byId("theme").textContent = {system: "◐", light: "☀", dark: "☾"}[theme];
  themed.redraw();
}

export function setRememberedTheme() {
  const theme = remembered("theme", "system");
  setTheme(Themes.includes(theme) ? theme : "system");
}

export function nextTheme() {
  const theme = Themes[(Themes.indexOf(current) + 1) % Themes.length];
  remember("theme", theme);
  setTheme(theme);
  announce(byId("theme").getAttribute("aria-label"));
}

export function attachTheme() {
  byId("theme").addEventListener("click", nextTheme);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => themed.redraw());
}

// Print is always light.
export function showThemeForPrint(printing) { showTheme(printing ? "light" : current); }
