// Polls the overview while the page is visible, and notifies listeners.

import { get } from "./api.js";

const SLOWEST = 30_000;

const listeners = new Set();
let last = { overview: null, error: null, receivedAt: 0 };
let failures = 0;
let timer = null;
let asking = false;

export function latest() {
  return last;
}

// The gateway's own clock, as far as it is known: times on the page are its times.
export function now() {
  return last.overview ? Date.parse(last.overview.at) + (Date.now() - last.receivedAt) : Date.now();
}

let loadedAt = null;

// A page that does not refresh itself says when it was loaded.
export function noteLoaded() {
  loadedAt = now();
  listeners.forEach((listener) => listener(last));
}

export function lastLoaded() {
  return loadedAt;
}

export function forgetLoaded() {
  loadedAt = null;
}

export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function start() {
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) {
      refresh();
    }
  });
  refresh();
}

export async function refresh() {
  if (asking) {
    return;
  }
  asking = true;
  clearTimeout(timer);
  try {
    const overview = await get("api/overview");
    last = { overview, error: null, receivedAt: Date.now() };
    failures = 0;
  } catch (error) {
    last = { ...last, error };
    failures++;
  } finally {
    asking = false;
  }
  for (const listener of [...listeners]) {
    listener(last);
  }
  if (!document.hidden) {
    timer = setTimeout(refresh, pause());
  }
}

function pause() {
  const interval = Math.min(Math.max(last.overview?.series?.intervalMillis ?? 5000, 1000), SLOWEST);
  return Math.min(interval * 2 ** Math.min(failures, 4), SLOWEST);
}
