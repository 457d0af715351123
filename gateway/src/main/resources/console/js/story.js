// A key's story in order: what the store noted, and what follows from its times, grouped by attempt.

import { h } from "./dom.js";
import { count, duration, time } from "./format.js";
import { latest, now } from "./live.js";

export function story(key) {
  const attempts = new Map();
  for (const event of events(key)) {
    const list = attempts.get(event.attempt) ?? [];
    attempts.set(event.attempt, list);
    list.push(event);
  }
  return h("ol", { class: "story" }, [...attempts].sort(([a], [b]) => a - b).map(([attempt, list]) =>
    h("li", null,
      h("h3", null, `Attempt ${count(attempt)}`, attempt === key.attempt && " (the latest)",
        h("span", { class: "muted" }, ` token ${list[0].token}`, took(key, attempt))),
      h("ol", { class: "events" }, list.map((event, index) => line(event, list[index - 1]))))));
}

function events(key) {
  // What the reason says comes first; what the store notes by itself says nothing more.
  const why = (entry) => (entry.event === "marked unknown" && key.cause && entry.attempt === key.attempt ? key.cause : entry.note);
  const reconciled = latest().overview?.operations.find((one) => one.operation === key.operation)?.recovery === "reconcile";
  const current = (at, event, note, kind) => ({ at, attempt: key.attempt, token: key.token, event, note, kind });
  const list = key.history.map((entry) => ({ ...entry, note: why(entry), kind: "noted" }));
  list.push(current(key.claimedAt, "claimed", key.attempt === 1 ? "" : reconciled ? "to ask the reconciler what the attempt before did" : "to run the operation again", "noted"));
  if (key.state === "unknown") {
    // That it was marked unknown stands in the history; its lease means nothing any more.
    return list.sort(byTime);
  }
  if (!key.settledAt) {
    const ended = Date.parse(key.leaseUntil) <= now();
    list.push(current(key.leaseUntil, ended ? "lease ended" : "lease ends", ended ? "without an outcome" : "unless it is renewed", ended ? "noted" : "ahead"));
  } else {
    if (!key.history.some((entry) => entry.at === key.settledAt)) {
      list.push(current(key.settledAt, `settled: ${key.outcome?.result ?? key.state}`, "", "noted"));
    }
    const over = Date.parse(key.expiresAt) <= now();
    list.push(current(key.expiresAt, over ? "expired" : "expires", over ? "no longer replayed" : "replayed until then", over ? "noted" : "ahead"));
  }
  return list.sort(byTime);
}

function byTime(a, b) {
  return Date.parse(a.at) - Date.parse(b.at);
}

function took(key, attempt) {
  if (attempt !== key.attempt || !key.settledAt) {
    return "";
  }
  return ` · ${duration(Date.parse(key.settledAt) - Date.parse(key.claimedAt))} from claim to outcome`;
}

function line(event, previous) {
  const gap = previous ? `+${duration(Date.parse(event.at) - Date.parse(previous.at))}` : "";
  return h("li", { class: event.kind },
    h("time", { datetime: event.at, class: "mono nowrap" }, time(event.at)),
    h("span", { class: "gap muted nowrap" }, gap),
    h("span", null, h("strong", null, event.event), event.note && h("span", { class: "break" }, ` ${event.note}`)));
}
