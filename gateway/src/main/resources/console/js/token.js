// Asks for the admin token, once for all calls that wait for it.

import { keepToken, onTokenNeeded } from "./api.js";
import { h } from "./dom.js";
import { openDialog } from "./dialog.js";

let waiting = null;
let declined = false;

export function installTokenPrompt() {
  onTokenNeeded((wrong) => (declined ? Promise.resolve(null) : ask(wrong)));
}

// The link that the gateway prints ends in #token=…; it leaves the address bar and the history at once.
export function takeTokenFromAddress() {
  const given = /^#token=([^&]+)/.exec(location.hash);
  if (given) {
    keepToken(decodeURIComponent(given[1]));
    history.replaceState(null, "", "#/");
  }
}

// After "Cancel" the prompt stays away until the user wants it.
export async function askAgain() {
  declined = false;
}

function ask(wrong) {
  if (!waiting) {
    waiting = prompt(wrong).finally(() => {
      waiting = null;
    });
  }
  return waiting;
}

function prompt(wrong) {
  return new Promise((resolve) => {
    let given = null;
    const input = h("input", { id: "token", type: "password", autocomplete: "off", spellcheck: "false", required: true, "aria-describedby": "token-hint" });
    const form = h("form", { onsubmit: (event) => {
      event.preventDefault();
      given = input.value.trim();
      dialog.close();
    } },
    wrong && h("p", { class: "notice bad", role: "alert" }, "The gateway did not accept that token."),
    h("p", { id: "token-hint" }, "The admin address of this gateway is protected. Enter the token that it printed when it started, or that it was started with. It is kept in this tab only, and forgotten when the tab closes."),
    h("label", { for: "token" }, "Admin token"), input,
    h("div", { class: "buttons" },
      h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      h("button", { type: "submit", class: "primary" }, "Continue")));
    const dialog = openDialog("Admin token", form, () => {
      declined = given === null;
      resolve(given || null);
    });
    input.focus();
  });
}
