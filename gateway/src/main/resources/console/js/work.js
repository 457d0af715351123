// The work list: the newest keys that need a decision. Loaded again only when their number changes.

import { get } from "./api.js";
import { fill, h, table } from "./dom.js";
import { count } from "./format.js";
import { empty, failure, shortMoment } from "./parts.js";
import { badge } from "./states.js";

const SHOWN = 8;

export function buildWork() {
  const list = h("div", { id: "work" });
  let seen = null;
  const load = async (undecided) => {
    try {
      const states = ["unknown", "lapsed"].filter((state) => undecided[state] > 0);
      const answers = await Promise.all(states.map((state) => get(`api/search?state=${state}&limit=${SHOWN}`)));
      show(list, answers.flatMap((answer) => answer.keys).slice(0, SHOWN), answers.reduce((sum, answer) => sum + answer.total, 0));
    } catch (error) {
      fill(list, failure(error, () => load(undecided)));
    }
  };
  return {
    element: h("section", { "aria-labelledby": "work-heading" }, h("h2", { id: "work-heading" }, "Keys that need a decision"), list),
    update(overview) {
      const numbers = overview.keys && `${overview.keys.unknown} ${overview.keys.lapsed}`;
      if (numbers && numbers !== seen) {
        seen = numbers;
        load(overview.keys);
      }
    },
  };
}

function show(list, keys, total) {
  if (keys.length === 0) {
    fill(list, empty("Nothing to decide", "Keys whose outcome is unknown are listed here, with what happened to each."));
    return;
  }
  fill(list, table("Keys that need a decision", [{ title: "State" }, { title: "Key" }, { title: "What happened", class: "roomy" }, { title: "Claimed", class: "roomy" }],
    keys.map((key) => h("tr", null,
      h("td", null, badge(key.state)),
      h("td", { class: "key-cell" }, h("a", { href: `#/keys/${key.digest}`, class: "mono" }, key.key),
        h("span", { class: "muted roomy-line" }, key.about ?? key.operation),
        h("span", { class: "muted narrow-only" }, key.about ?? key.operation, " · ", shortMoment(key.claimedAt))),
      h("td", { class: "roomy cause" }, key.cause ?? "–"),
      h("td", { class: "roomy" }, shortMoment(key.claimedAt)))), { class: "keys" }),
  total > keys.length && h("p", null, h("a", { href: "#/keys?state=unknown" }, `All ${count(total)} keys`)));
}
