// The page "Audit": who decided what, the latest first.

import { download, get } from "./api.js";
import { fill, h, table } from "./dom.js";
import { noteLoaded } from "./live.js";
import { empty, failure, loading, moment } from "./parts.js";

const ACTIONS = { resolve: "decided", hold: "held first", propose: "proposed", erase: "erased" };

export function showAudit(root, query) {
  const abort = new AbortController();
  const results = h("section", { "aria-label": "Decisions", id: "results" });
  const load = async () => {
    if (!results.hasChildNodes()) {
      fill(results, loading("the decisions"));
    }
    try {
      const asked = new URLSearchParams([...query].filter(([name]) => name === "before" || name === "subject"));
      const page = await get(`api/audit?${asked}`, abort.signal);
      fill(results, show(page, query));
      noteLoaded();
    } catch (error) {
      if (!abort.signal.aborted) {
        fill(results, error.status === 501 ? empty("This store keeps no decisions", error.message) : failure(error, load));
      }
    }
  };
  fill(root, h("h1", { tabindex: "-1" }, "Audit"),
    h("p", { class: "muted" }, "Every decision of a person: who, from where, when, why, and what it changed. Entries are added, and never changed or removed."), results);
  const loaded = load();
  return { title: "Audit", loaded, refresh: load, dispose: () => abort.abort() };
}

export function auditTable(entries, withSubject = true) {
  return table("Decisions", [{ title: "When" }, { title: "Who" }, { title: "What" }, withSubject && { title: "Key" }, { title: "Change", class: "roomy" }, { title: "Reason" }].filter(Boolean),
    entries.map((entry) => h("tr", null,
      h("td", null, moment(entry.at)),
      h("td", null, h("strong", { class: "break" }, entry.by), entry.address && h("span", { class: "muted block mono nowrap" }, entry.address)),
      h("td", null, ACTIONS[entry.action] ?? entry.action, h("span", { class: "narrow-only" }, entry.after)),
      withSubject && h("td", { class: "mono" }, subject(entry)),
      h("td", { class: "roomy" }, entry.before && [entry.before, " → "], h("strong", null, entry.after)),
      h("td", { class: "break" }, entry.reason))));
}

function subject(entry) {
  const short = entry.subject.replace("sha256:", "").slice(0, 12);
  return entry.subject.startsWith("sha256:")
    ? h("span", { title: entry.subject }, `scope ${short}…`)
    : h("a", { href: `#/keys/${entry.subject}`, title: entry.subject }, `${short}…`);
}

function show(page, query) {
  if (page.entries.length === 0) {
    return query.get("before")
      ? empty("No older decisions", "That was the first one.")
      : empty("No decision yet", "When someone resolves a key or erases a scope, it is listed here with their name.");
  }
  return [h("div", { class: "toolbar" }, h("span", { class: "spacer" }),
    h("button", { type: "button", id: "export-csv", onclick: () => download("api/audit?format=csv", "semel-audit.csv") }, "Export CSV")),
  auditTable(page.entries),
  h("nav", { class: "pager", "aria-label": "Pages" },
    query.get("before") && h("a", { class: "button", href: "#/audit" }, "Latest"),
    page.next && h("a", { class: "button", rel: "next", href: `#/audit?before=${page.next}` }, "Older"))];
}
