// The tables of the page "Now". Built once; a refresh writes only the numbers, so that focus and selection stay.

import { buildCallers } from "./callers.js";
import { fill, h, setText, table } from "./dom.js";
import { bytes, count, duration } from "./format.js";
import { sum } from "./series.js";
import { badge, STATES } from "./states.js";

const COUNTERS = [
  ["requests", "Requests", "all that arrived"],
  ["passed", "Passed through", "without protection: reads, routes that are not guarded, requests without a key"],
  ["unprotected", "Without a key", "of those passed through, the ones that a route guards"],
  ["executed", "Executed", "operations that ran and were settled"],
  ["replayed", "Replayed", "duplicates that got the stored response"],
  ["inFlight", "Told to retry", "duplicates that arrived while the operation was running"],
  ["mismatch", "Mismatched", "a known key with another request: refused"],
  ["unknown", "Told unknown", "requests for a key that waits for a decision"],
  ["expired", "Expired", "requests for a key whose retention has passed"],
  ["abandoned", "Abandoned", "keys that became unknown here: the upstream did not answer"],
  ["lapsed", "Lapsed", "leases found lapsed: an owner died or hung"],
  ["takenOver", "Taken over", "lapsed keys that a new attempt took over, to ask the reconciler or to run the operation again"],
  ["fenced", "Fenced off", "late writes of attempts that had lost their lease"],
  ["released", "Released", "claims given back: the operation was certainly not executed"],
  ["refused", "Refused", "turned away before anything ran: no key, bad key, over a limit"],
  ["upstreamFailures", "Upstream failures", "the service behind could not be reached, or broke off"],
  ["storeFailures", "Store failures", "the store did not answer or refused"],
];

const number = (title) => ({ title, class: "number" });
const meaning = { title: "Meaning", class: "wide" };

export function buildDetails(range) {
  const callers = buildCallers();
  const states = stateTable();
  const counters = counterTable(range);
  const size = h("p", { class: "muted" });
  const operations = h("div");
  return {
    element: h("div", null,
      callers.element,
      folded("store", "What the store holds", states.element, size),
      folded("counters", "What this gateway counted", counters.element),
      folded("operations", "Operations", operations)),
    update(overview, window) {
      callers.update(overview);
      states.update(overview);
      counters.update(overview, window);
      setText(size, sizeLine(overview));
      // The operations are settings: they do not change while the gateway runs.
      if (!operations.hasChildNodes()) {
        fill(operations, operationTable(overview.operations));
      }
    },
  };
}

// Closed until you open it, and then open for as long as this tab lives.
function folded(name, title, ...content) {
  const key = `semel.open.${name}`;
  return h("details", { class: "folded", id: `folded-${name}`, open: sessionStorage.getItem(key) !== null, ontoggle: (event) => {
    if (event.target.open) {
      sessionStorage.setItem(key, "1");
    } else {
      sessionStorage.removeItem(key);
    }
  } }, h("summary", null, h("h2", null, title)), content);
}

function stateTable() {
  const cells = {};
  const rows = Object.keys(STATES).map((state) => h("tr", null,
    h("td", null, h("a", { href: `#/keys?state=${state}` }, badge(state))),
    (cells[state] = h("td", { class: "number" })),
    h("td", { class: "muted wide" }, STATES[state].meaning)));
  return {
    element: table("Keys by state", [{ title: "State" }, number("Keys"), meaning], rows),
    update(overview) {
      for (const [state, cell] of Object.entries(cells)) {
        setText(cell, overview.keys ? count(overview.keys[state] ?? 0) : "–");
      }
    },
  };
}

function counterTable(range) {
  const cells = {};
  const rows = COUNTERS.map(([name, label, explanation]) => {
    cells[name] = [h("td", { class: "number" }), h("td", { class: "number" })];
    return h("tr", null, h("th", { scope: "row" }, label), cells[name], h("td", { class: "muted wide" }, explanation));
  });
  return {
    element: table("Counters of this process", [{ title: "Counter" }, number(`Last ${range}`), number("Since start"), meaning], rows),
    update(overview, window) {
      for (const [name, [recent, total]] of Object.entries(cells)) {
        setText(recent, window[name] ? count(sum(window[name])) : "–");
        setText(total, count(overview.counters[name]));
      }
    },
  };
}

function sizeLine(overview) {
  if (!overview.keys) {
    return "The store has not answered yet.";
  }
  return [
    `Size ${bytes(overview.bytes)}`,
    overview.projection && `levels off at about ${bytes(overview.projection.bytes)} with ${count(overview.projection.keys)} keys`,
    overview.purgeLag > 0 && `purging lags ${duration(overview.purgeLag)} behind`,
    !overview.keysExact && "counts are estimated",
  ].filter(Boolean).join(" · ");
}

function operationTable(operations) {
  return table("Operations and their policies",
    [{ title: "Operation" }, { title: "Path" }, { title: "When a lease lapses" }, number("Lease"), number("Retention")],
    operations.map((one) => h("tr", null,
      h("th", { scope: "row" }, h("a", { href: `#/keys?operation=${encodeURIComponent(one.operation)}` }, one.operation)),
      h("td", null, h("code", null, one.path)),
      h("td", null, one.recovery),
      h("td", { class: "number" }, duration(one.leaseMillis)),
      h("td", { class: "number" }, duration(one.retentionMillis)))));
}
