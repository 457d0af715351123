// The callers that take most of their limits, on the page "Now".

import { fill, h, setText, table } from "./dom.js";
import { bytes, count, percent, plural } from "./format.js";

const COLUMNS = [
  { title: "Caller" },
  { title: "Of its limit", class: "number roomy" },
  { title: "In flight", class: "number" },
  { title: "Buffered", class: "number roomy" },
  { title: "Refused", class: "number" },
  { title: "Unknown", class: "number" },
  { title: "Keys kept", class: "number roomy" },
];

export function buildCallers() {
  const rows = h("div", { id: "callers" });
  const limits = h("p", { class: "muted" });
  return {
    element: h("div", null, h("h2", null, "Who takes most"), rows, limits),
    update({ callers }) {
      const shown = JSON.stringify(callers.top);
      if (rows.dataset.shown !== shown) {
        rows.dataset.shown = shown;
        fill(rows, callers.top.length === 0 ? h("p", { class: "muted" }, "No caller has sent a request with a key yet.") : callerTable(callers.top));
      }
      setText(limits, limitsLine(callers));
    },
  };
}

function callerTable(callers) {
  const worry = (number) => `number${number > 0 ? " bad-number" : ""}`;
  return table("Callers that take most of their limits", COLUMNS, callers.map((one) => h("tr", null,
    h("th", { scope: "row", class: "mono break" }, h("a", { href: `#/keys?scope=${encodeURIComponent(one.scope)}` }, one.scope)),
    h("td", { class: "number roomy" }, percent(one.share, 1)),
    h("td", { class: "number" }, count(one.inFlight)),
    h("td", { class: "number roomy" }, bytes(one.bufferedBytes)),
    h("td", { class: worry(one.refused) }, count(one.refused)),
    h("td", { class: worry(one.unknown) }, count(one.unknown)),
    h("td", { class: "number roomy" }, count(one.keys)))), { class: "clients" });
}

function limitsLine({ limits, remembered }) {
  const set = [
    limits.inFlight && `${count(limits.inFlight)} in flight`,
    limits.perSecond && `${count(limits.perSecond)} per second`,
    limits.bufferedBytes && `${bytes(limits.bufferedBytes)} buffered`,
    limits.keys && plural(limits.keys, "key kept", "keys kept"),
    limits.bytes && `${bytes(limits.bytes)} kept`,
    limits.unknown && `${count(limits.unknown)} unknown`,
  ].filter(Boolean);
  return `${set.length > 0 ? `A caller may have ${set.join(", ")}.` : "A caller has no limits."} Counted by this gateway, which remembers ${plural(remembered, "caller", "callers")}; unknown keys are those of all gateways.`;
}
