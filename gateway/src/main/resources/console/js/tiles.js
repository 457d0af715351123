// The six numbers at the top of the page "Now".

import { h, setText } from "./dom.js";
import { count, duration, percent, rate, time } from "./format.js";
import { add, since, sum } from "./series.js";

const MINUTE = 60_000;

export function buildTiles() {
  const tile = (id, label, compute, link) => {
    const value = h("span", { class: "tile-value", id: `tile-${id}` }, "–");
    const note = h("span", { class: "tile-note" });
    const shown = link ? h("a", { href: link }, value) : value;
    const element = h("div", { class: "tile" }, h("dt", null, label), h("dd", null, shown, note));
    return {
      element,
      update(overview, window, range) {
        const [text, small, level] = compute(overview, window, range);
        setText(value, text);
        setText(note, small);
        element.dataset.level = level ?? "";
      },
    };
  };
  const held = (state) => (overview) => {
    const number = overview.keys?.[state];
    return [count(number), overview.keys ? `as of ${time(overview.keysAt).slice(11, 19)}${overview.keysExact ? "" : ", estimated"}` : "store not asked yet", number > 0 ? "bad" : ""];
  };
  return [
    tile("requests", "Requests per second", (overview) => {
      const minute = since(overview, MINUTE);
      const perSecond = minute.at.length ? sum(minute.requests) / (minute.at.length * overview.series.intervalMillis / 1000) : null;
      return [rate(perSecond), `last minute · ${count(overview.counters.requests)} in all`];
    }),
    tile("replay", "Replay rate", (overview, window, range) => {
      const replayed = sum(window.replayed);
      const all = sum(add(window, "executed", "replayed", "inFlight", "mismatch", "unknown"));
      return [percent(replayed, all), `last ${range} · ${count(overview.counters.replayed)} in all`];
    }),
    tile("running", "In flight", (overview) => [count(overview.gauges.running),
      overview.pendingAge ? `oldest claim ${duration(overview.pendingAge.max)}` : "running now"]),
    tile("lapsed", "Lapsed", held("lapsed"), "#/keys?state=lapsed"),
    tile("unknown", "Unknown", held("unknown"), "#/keys?state=unknown"),
    tile("failures", "Failures", (overview, window, range) => {
      const failures = sum(add(window, "upstreamFailures", "storeFailures"));
      return [count(failures), `upstream, store · last ${range}`, failures > 0 ? "warn" : ""];
    }),
  ];
}
