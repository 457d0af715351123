// Sends decisions about many keys, a part at a time, and shows the results.

import { post } from "./api.js";
import { h } from "./dom.js";
import { count, plural } from "./format.js";

// Small enough that each answers soon, and that the gateway takes its body.
const PART = 100;

const RESULTS = {
  applied: "decided",
  proposed: "wait for a second person to send the same decision",
  "moved-on": "had changed and were left as they are",
  "held-first": "were lapsed: they are held as unknown now, so check again and decide again",
  "no-answer": "got no answer from the store: look at them again",
  "not-tried": "were not tried",
};

// progress is called with the number of keys that are done.
export async function sendDecisions(decisions, reason, progress) {
  const counts = {};
  // What lets nothing run goes first, so that what breaks off in the middle has done the least harm.
  const order = ["succeeded", "failed", "released"];
  const sorted = [...decisions].sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
  for (let at = 0; at < sorted.length; at += PART) {
    const { results } = await post("api/decisions", { reason, decisions: sorted.slice(at, at + PART) });
    for (const { result } of results) {
      counts[result] = (counts[result] ?? 0) + 1;
    }
    progress(Math.min(at + PART, sorted.length));
    if (counts["no-answer"]) {
      counts["not-tried"] = (counts["not-tried"] ?? 0) + sorted.length - Math.min(at + PART, sorted.length);
      break;
    }
  }
  return counts;
}

export function summary(counts) {
  return `${Object.entries(RESULTS).filter(([name]) => counts[name] > 0)
    .map(([name, words]) => `${plural(counts[name], "key", "keys")} ${words}`).join("; ")}.`;
}

export function preview(keys, shown = 8) {
  return h("div", { class: "preview" },
    h("ul", { class: "mono" }, keys.slice(0, shown).map((key) => h("li", { class: "break" }, key.key))),
    keys.length > shown && h("p", { class: "muted" }, `and ${count(keys.length - shown)} more`));
}
