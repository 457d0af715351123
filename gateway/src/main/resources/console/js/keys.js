// The page "Keys": one search, what it finds with the newest first, and decisions about many keys at once.

import { announce, fill, h, table } from "./dom.js";
import { download, get } from "./api.js";
import { bytes, count, plural } from "./format.js";
import { openImport } from "./import.js";
import { latest, noteLoaded, now } from "./live.js";
import { may, onKnown } from "./me.js";
import { empty, failure, loading, shortMoment } from "./parts.js";
import { openResolve } from "./resolve.js";
import { badge, STATES, stateOf } from "./states.js";

const PAGE = 50;
const FILTERS = ["q", "state", "operation", "scope", "key", "range", "from", "to"];
// What has no field of its own: links bring it.
const HIDDEN = ["scope", "key", "from", "to"];
const RANGES = { "15m": 900_000, "1h": 3_600_000, "24h": 86_400_000, "7d": 604_800_000 };

export function showKeys(root, query) {
  const filters = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ""]));
  const page = Math.max(1, Number(query.get("page")) || 1);
  const results = h("section", { "aria-label": "Results", id: "results" });
  const abort = new AbortController();
  const list = { results, filters, page, signal: abort.signal, selected: new Map(), keys: [] };
  list.load = () => search(list);
  fill(root, h("h1", { tabindex: "-1" }, filters.state === "unknown" ? "Unknown keys" : "Keys"), searchForm(filters), results);
  list.load();
  const forget = onKnown(() => list.answer && show(list, list.answer));
  return {
    title: filters.state ? `Keys: ${filters.state}` : "Keys",
    refresh: () => list.load(),
    dispose: () => {
      forget();
      abort.abort();
    },
    shortcuts: {
      j: () => step(results, 1),
      k: () => step(results, -1),
      x: () => document.activeElement.closest("tr")?.querySelector("input[type=checkbox]")?.click(),
      n: () => results.querySelector("a[rel=next]")?.click(),
      p: () => results.querySelector("a[rel=prev]")?.click(),
      d: () => results.querySelector("#decide:not([disabled])")?.click(),
    },
  };
}

function address(filters, page) {
  const parameters = new URLSearchParams(Object.entries({ ...filters, page: page > 1 ? page : "" }).filter(([, value]) => value));
  const text = parameters.toString();
  return `#/keys${text ? `?${text}` : ""}`;
}

// What the gateway is asked for: a range counts from now.
function parameters(filters, more) {
  const { range, ...asked } = filters;
  if (RANGES[range]) {
    asked.from = new Date(now() - RANGES[range]).toISOString();
  }
  return new URLSearchParams(Object.entries({ ...asked, ...more }).filter(([, value]) => value));
}

function searchForm(filters) {
  const operations = latest().overview?.operations ?? [];
  const select = (name, label, options) => h("div", { class: "field" },
    h("label", { for: `f-${name}` }, label),
    h("select", { id: `f-${name}`, name, onchange: () => form.requestSubmit() },
      options.map(([value, text]) => h("option", { value, selected: value === filters[name] }, text))));
  const input = (name, label, props) => h("div", { class: `field ${name}` },
    h("label", { for: `f-${name}` }, label),
    h("input", { id: `f-${name}`, name, value: filters[name], autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: "255", ...props }));
  const form = h("form", { class: "search", role: "search", "aria-label": "Search keys", onsubmit: (event) => {
    event.preventDefault();
    const wanted = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));
    const target = address(wanted, 1);
    if (location.hash === target) {
      window.dispatchEvent(new HashChangeEvent("hashchange"));
    } else {
      location.hash = target;
    }
  } },
  input("q", "Key, digest, scope or trace", { placeholder: "a key or how it starts, a digest from a log, a scope, a trace id" }),
  select("state", "State", [["", "any"], ...Object.keys(STATES).map((state) => [state, state])]),
  select("range", "Claimed", [["", "at any time"], ["15m", "in the last 15 min"], ["1h", "in the last hour"], ["24h", "in the last day"], ["7d", "in the last week"]]),
  input("operation", "Operation", { list: "operations" }),
  h("datalist", { id: "operations" }, operations.map((one) => h("option", { value: one.operation }))),
  HIDDEN.filter((name) => filters[name]).map((name) => h("input", { type: "hidden", name, value: filters[name] })),
  h("div", { class: "buttons" },
    h("button", { type: "submit", class: "primary" }, "Search"),
    h("a", { class: "button", href: "#/keys" }, "Clear")));
  return form;
}

async function search(list) {
  const { results, filters, page, signal } = list;
  results.setAttribute("aria-busy", "true");
  if (!results.hasChildNodes()) {
    fill(results, loading("keys"));
  }
  try {
    show(list, await get(`api/search?${parameters(filters, { limit: PAGE, page })}`, signal));
    noteLoaded();
  } catch (error) {
    if (!signal.aborted) {
      fill(results, failure(error, list.load));
    }
  } finally {
    results.removeAttribute("aria-busy");
  }
}

function show(list, answer) {
  const { results, filters, page } = list;
  list.answer = answer;
  list.keys = answer.keys;
  const filtered = FILTERS.some((name) => filters[name]);
  if (answer.keys.length === 0) {
    fill(results, page > 1 ? empty("No more keys", "That was the last page.") : nothing(filters, filtered, answer.complete),
      toolbar(list, answer), page > 1 && pager(list, answer));
  } else {
    fill(results, toolbar(list, answer), keyTable(list), pager(list, answer));
  }
  announce(answer.keys.length === 0 ? "No keys found" : `${total(answer)} found, ${count(answer.keys.length)} shown`);
}

function nothing(filters, filtered, complete) {
  if (!complete) {
    return empty("Nothing found so far", "The store is large, and only a part of it was searched in time. Search for a complete key or digest, or filter by state.");
  }
  if (filters.state === "unknown") {
    return empty("No key is unknown", "When the upstream does not answer, or a gateway dies in the middle of a request, the keys that need a decision are listed here.");
  }
  if (filters.state === "lapsed") {
    return empty("No key is lapsed", "Keys whose owner stopped renewing its lease are listed here until the policy of their operation deals with them.");
  }
  return filtered
    ? empty("No key matches", "Search for the start of a key, a complete scope or trace id, or at least six digits of a digest. Keys that were never used or were released, and keys whose retention and audit window have passed, are not listed.")
    : empty("No keys yet", "The first protected request that passes through this gateway shows up here.");
}

function total(answer) {
  return `${plural(answer.total, "key", "keys")}${answer.complete ? "" : " or more"}`;
}

function toolbar(list, answer) {
  const name = `semel-keys${list.filters.state ? `-${list.filters.state}` : ""}`;
  const trouble = h("div");
  const save = (format) => async () => {
    try {
      const complete = await download(`api/export?${parameters(list.filters, { format })}`, `${name}.${format}`);
      fill(trouble, !complete && h("p", { class: "notice warn", role: "status" }, "The file is not complete: there are more keys than an export has. Narrow the search."));
    } catch (error) {
      fill(trouble, failure(error, save(format)));
    }
  };
  list.decide = h("button", { type: "button", class: "primary", id: "decide", disabled: true, onclick: () => decideSelected(list) }, "Decide…");
  list.all = h("button", { type: "button", id: "select-all", hidden: true, onclick: () => selectAll(list, trouble) }, "");
  const choosable = may("operate") && answer.keys.some(isUndecided);
  return [h("div", { class: "toolbar" },
    h("strong", { id: "total" }, total(answer)),
    !answer.complete && h("span", { class: "muted" }, "only a part of the store was searched"),
    h("span", { class: "spacer" }),
    choosable && [list.all, list.decide],
    may("operate") && h("button", { type: "button", id: "import", onclick: () => openImport(() => list.load()) }, "Import answers…"),
    answer.total > 0 && [h("button", { type: "button", id: "export-csv", onclick: save("csv") }, "Export CSV"),
      h("button", { type: "button", onclick: save("json") }, "Export JSON")]), trouble];
}

function isUndecided(key) {
  return !key.auditedSince && (key.state === "unknown" || key.state === "lapsed");
}

function keyTable(list) {
  const work = may("operate") && list.keys.some(isUndecided);
  const boxes = [];
  const every = h("input", { type: "checkbox", "aria-label": "Select all keys on this page", onchange: () => {
    boxes.forEach(([box, key]) => {
      box.checked = every.checked;
      choose(list, key, every.checked);
    });
    selectionChanged(list);
  } });
  const box = (key) => {
    if (!isUndecided(key)) {
      return null;
    }
    const element = h("input", { type: "checkbox", "aria-label": `Select ${key.key}`, checked: list.selected.has(key.digest), onchange: () => {
      choose(list, key, element.checked);
      selectionChanged(list);
    } });
    boxes.push([element, key]);
    return element;
  };
  const columns = [{ title: "State" }, { title: "Key" }, { title: "Request", class: "roomy" }, { title: "What happened", class: "roomy" },
    { title: "Claimed", class: "roomy" }, { title: "Response", class: "number roomy" }, { title: "Attempt", class: "number roomy" }];
  const shown = table("Keys", work ? [{ title: every, class: "select" }, ...columns] : columns, list.keys.map((key) => h("tr", null,
    work && h("td", { class: "select" }, box(key)),
    h("td", null, badge(stateOf(key))),
    h("td", { class: "key-cell" }, h("a", { href: `#/keys/${key.digest}`, class: "mono" }, key.key),
      h("span", { class: "muted roomy-line" }, key.scope),
      h("span", { class: "muted narrow-only" }, [key.about ?? key.operation, key.scope].join(" · "), " · ", shortMoment(key.claimedAt), key.cause && ` · ${key.cause}`)),
    h("td", { class: "roomy" }, h("span", { class: "mono break" }, key.about ?? "–"), h("span", { class: "muted roomy-line" }, key.operation)),
    h("td", { class: "roomy cause" }, key.cause ?? "–"),
    h("td", { class: "roomy" }, shortMoment(key.claimedAt)),
    h("td", { class: "number roomy" }, response(key)),
    h("td", { class: "number roomy" }, count(key.attempt)))), { class: "keys" });
  selectionChanged(list);
  return shown;
}

function choose(list, key, chosen) {
  if (chosen) {
    list.selected.set(key.digest, key);
  } else {
    list.selected.delete(key.digest);
  }
}

function selectionChanged(list) {
  const number = list.selected.size;
  list.decide.disabled = number === 0;
  fill(list.decide, number === 0 ? "Decide…" : `Decide ${plural(number, "key", "keys")}…`);
  const wholePage = list.keys.filter(isUndecided).every((key) => list.selected.has(key.digest));
  const undecidedOnly = ["unknown", "lapsed"].includes(list.filters.state);
  list.all.hidden = !(undecidedOnly && number > 0 && wholePage && number < list.answer.total);
  fill(list.all, `Select all ${count(list.answer.total)}`);
}

// All that the search finds, as they are now: decisions hold for these keys in this state only.
async function selectAll(list, trouble) {
  try {
    const keys = await get(`api/export?${parameters(list.filters, { format: "json" })}`, list.signal);
    keys.filter(isUndecided).forEach((key) => list.selected.set(key.digest, key));
    selectionChanged(list);
    announce(`${plural(list.selected.size, "key", "keys")} selected`);
  } catch (error) {
    fill(trouble, failure(error, () => selectAll(list, trouble)));
  }
}

function decideSelected(list) {
  openResolve([...list.selected.values()], async (done) => {
    list.selected.clear();
    await list.load();
    list.results.prepend(h("p", { class: "notice good", role: "status", id: "resolved" }, done));
  });
}

function response(key) {
  if (!key.settledAt) {
    return "–";
  }
  const size = key.bodyBytes === null ? (key.auditedSince ? "no body" : "body not kept") : bytes(key.bodyBytes);
  return h("span", { class: "nowrap" }, key.status ? `${key.status} · ${size}` : size);
}

function pager(list, answer) {
  const { filters, page } = list;
  const pages = Math.ceil(answer.total / PAGE);
  return pages > 1 && h("nav", { class: "pager", "aria-label": "Pages" },
    h("span", { class: "muted" }, `Page ${count(page)} of ${count(pages)}, newest first`),
    page > 1 && h("a", { class: "button", rel: "prev", href: address(filters, page - 1) }, "Previous page"),
    page < pages && h("a", { class: "button", rel: "next", href: address(filters, page + 1) }, "Next page"));
}

function step(results, by) {
  const links = [...results.querySelectorAll("tbody a")];
  const at = links.indexOf(document.activeElement);
  links[at < 0 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)]?.focus();
}
