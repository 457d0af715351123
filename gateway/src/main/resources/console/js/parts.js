// Pieces that several pages show: loading, empty and error states, times and notices.

import { h } from "./dom.js";
import { relative, time } from "./format.js";
import { now } from "./live.js";
import { askAgain } from "./token.js";

export function loading(what) {
  return h("p", { class: "state", "aria-busy": "true" }, h("span", { class: "spinner", "aria-hidden": "true" }), `Loading ${what}…`);
}

export function empty(title, ...explanation) {
  return h("div", { class: "state" }, h("p", { class: "state-title" }, title), h("p", null, explanation));
}

export function failure(error, retry) {
  const unauthorised = error.status === 401;
  const again = unauthorised ? () => askAgain().then(retry) : retry;
  return h("div", { class: "notice bad", role: "alert" },
    h("p", null, h("strong", null, unauthorised ? "This console needs the admin token" : error.title ?? "Something went wrong in the console")),
    h("p", null, unauthorised ? "It is the one that the gateway was started with (--admin-token)." : error.message),
    h("p", null, h("button", { type: "button", onclick: again }, unauthorised ? "Enter the token" : "Try again")));
}

export function moment(iso) {
  if (!iso) {
    return h("span", { class: "muted" }, "–");
  }
  return h("time", { datetime: iso, title: `${time(iso)} UTC` }, time(iso), " ", h("span", { class: "muted nowrap" }, `(${relative(iso, now())})`));
}

export function shortMoment(iso) {
  return iso ? h("time", { datetime: iso, title: `${time(iso)} UTC`, class: "nowrap" }, relative(iso, now())) : "–";
}
