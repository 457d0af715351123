// The page "Clients": callers that use keys in a way that does not protect them, with the evidence.

import { get } from "./api.js";
import { announce, fill, h, table } from "./dom.js";
import { count, duration, plural, time } from "./format.js";
import { subscribe } from "./live.js";
import { empty, failure, loading, shortMoment } from "./parts.js";

const HABITS = [
  ["freshKeys", "New key per retry", "The same request came again under another key: it ran again. Create the key once per operation, and keep it for its retries."],
  ["keysReused", "Key reused", "A known key came with another request, and was refused. Create a new key for each operation."],
  ["retriesTooEarly", "Retried too early", "A retry came before the time in Retry-After. Wait for it."],
];

export function showClients(root) {
  const results = h("section", { "aria-label": "Misbehaving clients", id: "clients" });
  const abort = new AbortController();
  const load = () => show(results, abort.signal);
  fill(root, h("h1", { tabindex: "-1" }, "Misbehaving clients"), results);
  const loaded = load();
  const unsubscribe = subscribe(load);
  return {
    title: "Misbehaving clients",
    live: true,
    loaded,
    refresh: load,
    dispose() {
      unsubscribe();
      abort.abort();
    },
  };
}

async function show(results, signal) {
  if (!results.hasChildNodes()) {
    fill(results, loading("clients"));
  }
  try {
    const answer = await get("api/clients", signal);
    const shown = JSON.stringify(answer.clients);
    if (results.dataset.shown !== shown) {
      results.dataset.shown = shown;
      fill(results, answer.clients.length === 0 ? noClients(answer) : [clientTable(answer.clients), legend(answer)]);
      announce(answer.clients.length === 0 ? "No client misbehaves" : plural(answer.all, "client misbehaves", "clients misbehave"));
    }
  } catch (error) {
    if (!signal.aborted) {
      delete results.dataset.shown;
      fill(results, failure(error, () => show(results, signal)));
    }
  }
}

function noClients(answer) {
  return empty("No client misbehaves", `Since this gateway started, no caller has sent a request again under a new key within ${duration(answer.windowMillis)}, used a key for two requests, or retried too early.`);
}

function clientTable(clients) {
  return table("Misbehaving clients",
    [{ title: "Caller" }, ...HABITS.map(([, title]) => ({ title, class: "number" })), { title: "Last", class: "roomy" }, { title: "Evidence", class: "wide roomy" }],
    clients.flatMap((client) => {
      const evidence = () => h("ul", { class: "evidence" }, client.latest.map(misstep));
      return [
        h("tr", null,
          h("th", { scope: "row", class: "mono break" }, client.scope),
          HABITS.map(([name]) => h("td", { class: `number${client[name] > 0 ? " bad-number" : ""}` }, count(client[name]))),
          h("td", { class: "roomy" }, shortMoment(client.lastAt)),
          h("td", { class: "wide roomy" }, evidence())),
        h("tr", { class: "narrow-row" }, h("td", { colspan: "4" }, evidence())),
      ];
    }), { class: "clients" });
}

function misstep(one) {
  const at = h("time", { datetime: one.at, class: "nowrap muted" }, time(one.at).slice(11, 19));
  const key = (digest) => h("a", { href: `#/keys/${digest}`, class: "mono", title: digest }, digest.slice(0, 8));
  const text = {
    "fresh-key": () => [key(one.key), ` is the same request as `, key(one.before), `, ${duration(one.afterMillis)} later`],
    "key-reused": () => [key(one.key), " came with another request"],
    "retry-too-early": () => [key(one.key), ` came after ${duration(one.afterMillis)}, asked for ${duration(one.askedMillis)}`],
  }[one.habit];
  return h("li", null, at, " ", h("strong", null, one.operation), ": ", text ? text() : one.habit);
}

function legend(answer) {
  return [
    h("dl", { class: "legend-list" }, HABITS.map(([, title, meaning]) => h("div", null, h("dt", null, title), h("dd", { class: "muted" }, meaning)))),
    h("p", { class: "muted" }, `Counted by this gateway since it started; a new key within ${duration(answer.windowMillis)} counts as a retry. Times in UTC. Only digests are remembered, no bodies.`,
      answer.all > answer.clients.length && ` The first ${count(answer.clients.length)} of ${count(answer.all)} callers are shown.`),
  ];
}
