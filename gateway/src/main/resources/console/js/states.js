// The states of a key, and what each means to whoever is on call.

import { h } from "./dom.js";

export const STATES = {
  pending: { sign: "◔", meaning: "An attempt owns the key and is at work." },
  lapsed: { sign: "▲", meaning: "The owner stopped renewing its lease: it died, or it hangs. The policy of the operation decides, or you do." },
  unknown: { sign: "?", meaning: "Nobody knows whether the operation happened. Duplicates are refused until somebody decides." },
  succeeded: { sign: "✓", meaning: "The operation happened. Duplicates get the stored response." },
  failed: { sign: "✕", meaning: "The operation failed for good. Duplicates get the stored failure." },
  expired: { sign: "○", meaning: "The retention has passed. Kept for people to look at, no longer replayed." },
};

export function badge(state) {
  return h("span", { class: "badge", data: { state } },
    h("span", { "aria-hidden": "true" }, STATES[state]?.sign ?? "·"), " ", state);
}
