// The page "Now": what is happening, and whether something needs a decision.

import { buildDetails } from "./details.js";
import { fill, h, setText } from "./dom.js";
import { count, duration, plural, time } from "./format.js";
import { latest, refresh, subscribe } from "./live.js";
import { buildPlots } from "./overview-plots.js";
import { failure, loading } from "./parts.js";
import { since, sum, times } from "./series.js";
import { buildTiles } from "./tiles.js";
import { buildWork } from "./work.js";

const RANGES = { "5m": 300_000, "15m": 900_000, "1h": 3_600_000 };
const MINUTE = 60_000;

export function showOverview(root, query) {
  const range = RANGES[query.get("range")] ? query.get("range") : "15m";
  const page = build(range);
  fill(root, h("h1", { tabindex: "-1" }, "Now"), page.body);
  const update = ({ overview, error }) => page.update(overview, error);
  const unsubscribe = subscribe(update);
  update(latest());
  return {
    title: "Now",
    live: true,
    refresh,
    dispose() {
      unsubscribe();
      page.plots.forEach((plot) => plot.plot.dispose());
    },
  };
}

function build(range) {
  const notices = h("div", { id: "notices" });
  const tiles = buildTiles();
  const plots = buildPlots();
  const work = buildWork();
  const details = buildDetails(range);
  const facts = h("p", { class: "muted facts" });
  const content = h("div", { hidden: true },
    h("dl", { class: "tiles" }, tiles.map((tile) => tile.element)),
    h("div", { class: "section-head" },
      h("h2", null, "Over time"),
      h("div", { class: "ranges", role: "group", "aria-label": "Time range" },
        Object.keys(RANGES).map((name) => h("a", { href: `#/?range=${name}`, "aria-current": name === range ? "true" : null }, name)))),
    h("div", { class: "plots" }, plots.map((plot) => plot.plot.element)),
    work.element,
    details.element,
    facts);
  const wait = loading("the overview");
  const show = (overview) => {
    wait.hidden = true;
    content.hidden = false;
    const window = since(overview, RANGES[range]);
    showFacts(facts, overview);
    tiles.forEach((tile) => tile.update(overview, window, range));
    plots.forEach((plot) => plot.plot.update(times(window), plot.values(window)));
    work.update(overview);
    details.update(overview, window);
  };
  return {
    plots,
    body: [notices, wait, content],
    update(overview, error) {
      fillNotices(notices, overview, error);
      content.classList.toggle("stale", error !== null);
      if (overview) {
        show(overview);
      } else if (error) {
        wait.hidden = true;
      }
    },
  };
}

function showFacts(facts, overview) {
  const up = Date.parse(overview.at) - Date.parse(overview.startedAt);
  setText(facts, `Upstream ${overview.upstream} · store ${overview.store} · version ${overview.version} · up ${duration(up)}`);
}

function fillNotices(notices, overview, error) {
  const wanted = [];
  if (error) {
    wanted.push(["bad", error.status === 401 ? "401" : `${error.title ?? "Error"}: ${error.message}`, error]);
  }
  if (overview && error) {
    wanted.push(["warn", `What is shown below is old: it is from ${time(overview.at).slice(0, 19)} UTC.`, null]);
  } else if (overview) {
    wanted.push(...warnings(overview).map((text) => ["warn", text, null]));
  }
  const fingerprint = JSON.stringify([wanted.map(([, text]) => text), overview?.keys?.unknown, overview?.keys?.lapsed, overview?.misbehavingClients]);
  if (notices.dataset.shown === fingerprint) {
    return;
  }
  notices.dataset.shown = fingerprint;
  fill(notices, wanted.map(([kind, text, cause]) => (cause ? failure(cause, refresh) : h("p", { class: `notice ${kind}`, role: "status" }, text))),
    overview && !error && decisions(overview.keys),
    overview && !error && clientsNotice(overview.misbehavingClients));
}

function warnings(overview) {
  const recent = since(overview, 2 * MINUTE);
  const storeFailures = sum(recent.storeFailures);
  const upstreamFailures = sum(recent.upstreamFailures);
  return [
    overview.draining && "This gateway is shutting down: it finishes running requests and accepts no new ones.",
    !overview.keys && "The store has not answered yet, so its content is not known.",
    storeFailures > 0 && `The store failed ${plural(storeFailures, "time", "times")} within the last two minutes.`,
    upstreamFailures > 0 && `The upstream failed ${plural(upstreamFailures, "time", "times")} within the last two minutes.`,
  ].filter(Boolean);
}

function clientsNotice(number) {
  return number > 0 && h("p", { class: "notice warn" },
    h("a", { href: "#/clients" }, plural(number, "client misbehaves", "clients misbehave")),
    ": their retries are not protected, or come too early.");
}

function decisions(keys) {
  if (!keys) {
    return null;
  }
  const waiting = ["unknown", "lapsed"].filter((state) => keys[state] > 0);
  if (waiting.length === 0) {
    return h("p", { class: "notice good" }, "No key needs a decision.");
  }
  return h("p", { class: "notice bad" },
    h("strong", null, "Keys that need a look: "),
    waiting.map((state, index) => [index > 0 && ", ", h("a", { href: `#/keys?state=${state}` }, `${count(keys[state])} ${state}`)]), ".");
}
