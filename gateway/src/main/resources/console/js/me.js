// Who uses this console, and what they may do. The gateway decides; this only hides what it would refuse.

import { get } from "./api.js";

let known = null;
const listeners = new Set();

export async function learnWhoIAm() {
  try {
    known = await get("api/me");
  } catch {
    // Whatever is wrong, the pages themselves say so.
    known = null;
  }
  listeners.forEach((listener) => listener());
}

export function onKnown(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function may(role) {
  return known === null || known.roles.includes(role);
}

export function myName() {
  return known?.name ?? "";
}

export function needsTwo(decision) {
  return known?.fourEyes?.includes(decision) ?? false;
}

export function traceLink(traceId) {
  return known?.traceUrl ? known.traceUrl.replace("{traceId}", encodeURIComponent(traceId)) : null;
}
