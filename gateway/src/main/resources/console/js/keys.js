// The page "Keys": search, and a page of what was found. The store pages; the console never holds more than one page.

import { announce, fill, h, table } from "./dom.js";
import { get } from "./api.js";
import { bytes, count, plural } from "./format.js";
import { latest } from "./live.js";
import { empty, failure, loading, shortMoment } from "./parts.js";
import { badge, STATES, stateOf } from "./states.js";

const PAGE = 50;
// A store bounds its work per page, so that pages without a match are normal; this many are skipped before asking.
const EMPTY_PAGES = 20;
const FILTERS = ["key", "scope", "operation", "state"];

// Which page came before the one that a cursor begins, for "Previous page".
const before = new Map();

export function showKeys(root, query) {
  const filters = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ""]));
  const cursor = query.get("cursor") ?? "";
  const results = h("section", { "aria-label": "Results", id: "results" });
  const abort = new AbortController();
  const load = (from = cursor) => search(results, filters, cursor, from, abort.signal);
  fill(root, h("h1", { tabindex: "-1" }, "Keys"), searchForm(filters), results);
  load();
  return {
    title: filters.state ? `Keys: ${filters.state}` : "Keys",
    refresh: () => load(),
    dispose: () => abort.abort(),
    shortcuts: {
      j: () => step(results, 1),
      k: () => step(results, -1),
      n: () => results.querySelector("a[rel=next]")?.click(),
      p: () => results.querySelector("a[rel=prev]")?.click(),
    },
  };
}

function address(filters, cursor) {
  const parameters = new URLSearchParams(Object.entries({ ...filters, cursor }).filter(([, value]) => value));
  const text = parameters.toString();
  return `#/keys${text ? `?${text}` : ""}`;
}

function searchForm(filters) {
  const field = (name, label, props) => h("div", { class: "field" },
    h("label", { for: `f-${name}` }, label),
    h("input", { id: `f-${name}`, name, value: filters[name], autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: "255", ...props }));
  const operations = latest().overview?.operations ?? [];
  const form = h("form", { class: "search", role: "search", "aria-label": "Search keys", onsubmit: (event) => {
    event.preventDefault();
    const wanted = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));
    const target = address(wanted, "");
    if (location.hash === target) {
      window.dispatchEvent(new HashChangeEvent("hashchange"));
    } else {
      location.hash = target;
    }
  } },
  field("key", "Key", { placeholder: "the whole key" }),
  field("scope", "Scope"),
  field("operation", "Operation", { list: "operations" }),
  h("datalist", { id: "operations" }, operations.map((one) => h("option", { value: one.operation }))),
  h("div", { class: "field" },
    h("label", { for: "f-state" }, "State"),
    h("select", { id: "f-state", name: "state" },
      h("option", { value: "" }, "any"),
      Object.keys(STATES).map((state) => h("option", { value: state, selected: state === filters.state }, state)))),
  h("div", { class: "buttons" },
    h("button", { type: "submit", class: "primary" }, "Search"),
    h("a", { class: "button", href: "#/keys" }, "Clear")));
  return form;
}

async function search(results, filters, cursor, from, signal) {
  results.setAttribute("aria-busy", "true");
  if (!results.hasChildNodes()) {
    fill(results, loading("keys"));
  }
  try {
    const page = await firstWithKeys(filters, from, signal);
    show(results, filters, cursor, page, signal);
  } catch (error) {
    if (!signal.aborted) {
      fill(results, failure(error, () => search(results, filters, cursor, from, signal)));
    }
  } finally {
    results.removeAttribute("aria-busy");
  }
}

async function firstWithKeys(filters, from, signal) {
  let next = from;
  for (let asked = 0; asked < EMPTY_PAGES; asked++) {
    const parameters = new URLSearchParams(Object.entries({ ...filters, cursor: next, limit: PAGE }).filter(([, value]) => value));
    const page = await get(`api/keys?${parameters}`, signal);
    if (page.keys.length > 0 || page.next === null) {
      return page;
    }
    next = page.next;
  }
  return { keys: [], next };
}

function show(results, filters, cursor, page, signal) {
  const filtered = FILTERS.some((name) => filters[name]);
  if (page.keys.length === 0 && page.next !== null) {
    fill(results, empty("Nothing found so far", "A part of the store has been searched. "),
      h("p", { class: "buttons centred" }, h("button", { type: "button", onclick: () => search(results, filters, cursor, page.next, signal) }, "Search further")));
  } else if (page.keys.length === 0) {
    fill(results, cursor
      ? empty("No more keys", "That was the last page. ")
      : filtered
        ? empty("No key matches", "Key, scope and operation are compared as a whole, letter for letter. A key that was never used, was freed, or whose retention and audit window have passed is not here.")
        : empty("No keys yet", "The first protected request that passes through this gateway shows up here."),
    pager(filters, cursor, null));
  } else {
    fill(results, keyTable(page.keys), pager(filters, cursor, page.next, page.keys.length));
  }
  announce(page.keys.length === 0 ? "No keys found" : `${plural(page.keys.length, "key", "keys")} shown${page.next ? ", there are more" : ""}`);
}

function keyTable(keys) {
  return table("Keys", [{ title: "State" }, { title: "Key" }, { title: "Operation", class: "roomy" }, { title: "Scope", class: "roomy" },
    { title: "Claimed", class: "roomy" }, { title: "Settled", class: "roomy" }, { title: "Response", class: "number roomy" }, { title: "Attempt", class: "number roomy" }],
  keys.map((key) => h("tr", null,
    h("td", null, badge(stateOf(key))),
    h("td", { class: "key-cell" }, h("a", { href: `#/keys/${key.digest}`, class: "mono" }, key.key),
      h("span", { class: "muted narrow-only" }, `${key.operation} · ${key.scope} · `, shortMoment(key.claimedAt))),
    h("td", { class: "roomy" }, key.operation),
    h("td", { class: "roomy mono break" }, key.scope),
    h("td", { class: "roomy" }, shortMoment(key.claimedAt)),
    h("td", { class: "roomy" }, shortMoment(key.settledAt)),
    h("td", { class: "number roomy" }, response(key)),
    h("td", { class: "number roomy" }, count(key.attempt)))), { class: "keys" });
}

function response(key) {
  if (!key.settledAt) {
    return "–";
  }
  const size = key.bodyBytes === null ? (key.auditedSince ? "no body" : "body not kept") : bytes(key.bodyBytes);
  return h("span", { class: "nowrap" }, key.status ? `${key.status} · ${size}` : size);
}

function pager(filters, cursor, next, shown) {
  if (next) {
    before.set(next, cursor);
  }
  const previous = before.get(cursor);
  return h("nav", { class: "pager", "aria-label": "Pages" },
    shown && h("span", { class: "muted" }, `${plural(shown, "key", "keys")} on this page`),
    cursor && h("a", { class: "button", href: address(filters, "") }, "First page"),
    cursor && previous !== undefined && h("a", { class: "button", rel: "prev", href: address(filters, previous) }, "Previous page"),
    next && h("a", { class: "button", rel: "next", href: address(filters, next) }, "Next page"));
}

function step(results, by) {
  const links = [...results.querySelectorAll("tbody a")];
  const at = links.indexOf(document.activeElement);
  links[at < 0 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)]?.focus();
}
