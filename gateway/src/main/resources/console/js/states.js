// The states of a key, and what each means to the person on call.

import { h } from "./dom.js";

export const STATES = {
  pending: { sign: "◔", meaning: "An attempt owns the key and is running." },
  lapsed: { sign: "▲", meaning: "The owner stopped renewing its lease: it died, or it hangs. The policy of the operation decides, or you do." },
  unknown: { sign: "?", meaning: "The outcome is unknown. Duplicates are refused until someone resolves the key." },
  succeeded: { sign: "✓", meaning: "The operation happened. Duplicates get the stored response." },
  failed: { sign: "✕", meaning: "The operation failed for good. Duplicates get the stored failure." },
  expired: { sign: "○", meaning: "The retention has passed. The record is kept for people, and no longer replayed." },
};

// What is left of a key in the audit window: no state of a key any more.
const AUDIT = { sign: "≡", meaning: "The key is free again. This is its record from the audit window, without its response, headers and steps." };

export function stateOf(key) {
  return key.auditedSince ? "audit" : key.state;
}

export function meaningOf(key) {
  return (key.auditedSince ? AUDIT : STATES[key.state])?.meaning;
}

export function badge(state) {
  return h("span", { class: "badge", data: { state } },
    h("span", { "aria-hidden": "true" }, (state === "audit" ? AUDIT : STATES[state])?.sign ?? "·"), " ", state);
}
