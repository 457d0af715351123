// The list of keyboard shortcuts, and the few settings of this browser.

import { forgetToken, hasToken } from "./api.js";
import { openDialog } from "./dialog.js";
import { h } from "./dom.js";

const OFF = "semel.shortcuts.off";

const SHORTCUTS = [
  ["?", "this help"],
  ["/", "search"],
  ["g n", "go to Now"],
  ["g k", "go to Keys"],
  ["g c", "go to the clients"],
  ["g a", "go to the audit"],
  ["g u", "go to the unknown keys"],
  ["g l", "go to the lapsed keys"],
  ["r", "refresh what is shown"],
  ["j  k", "next, previous key in the list; Enter opens it"],
  ["x", "select the key in the list"],
  ["n  p", "next, previous page of the list"],
  ["d", "decide: resolve the key that is shown, or those that are selected"],
  ["Esc", "close a dialog"],
];

export function shortcutsAreOn() {
  return localStorage.getItem(OFF) === null;
}

export function openHelp() {
  const dialog = openDialog("Help", h("div", null,
    h("table", { class: "shortcuts" },
      h("caption", null, "Keyboard shortcuts"),
      h("tbody", null, SHORTCUTS.map(([keys, what]) => h("tr", null,
        h("th", { scope: "row" }, keys.split(/\s+/).map((key) => [h("kbd", null, key), " "])), h("td", null, what))))),
    h("label", { class: "check" },
      h("input", { type: "checkbox", checked: shortcutsAreOn(), onchange: (event) => {
        if (event.target.checked) {
          localStorage.removeItem(OFF);
        } else {
          localStorage.setItem(OFF, "1");
        }
      } }), " Shortcuts of a single letter are on"),
    h("p", { class: "muted" }, "All times are UTC. The console only talks to this gateway."),
    hasToken() && h("p", null, h("button", { type: "button", onclick: () => {
      forgetToken();
      dialog.close();
    } }, "Forget the admin token"))));
}
