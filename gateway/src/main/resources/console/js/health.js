// The banner above every page: what does not work on this node or on its peers, since when, and what that means for callers.

import { get, hasToken } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { duration, time } from "./format.js";

const PAUSE = 2000;

let shown = "";
let timer = null;

// Asked more often than the overview: it costs the gateway nothing, and the person on call looks here first.
export function startHealth() {
  document.addEventListener("visibilitychange", () => document.hidden || ask());
  ask();
}

async function ask() {
  clearTimeout(timer);
  try {
    // Without a token, the overview asks for one.
    if (hasToken()) {
      show(await get("api/health"));
    }
  } catch (error) {
    // The indicator next to the help button shows that the gateway does not answer; what was known before stays.
    document.getElementById("health").classList.toggle("stale", error.status === 0);
  }
  if (!document.hidden) {
    timer = setTimeout(ask, PAUSE);
  }
}

function show(health) {
  const banner = document.getElementById("health");
  banner.classList.remove("stale");
  const problems = health.problems.map((problem) => problem.what).join(". ");
  banner.hidden = health.problems.length === 0;
  document.documentElement.dataset.health = health.status;
  if (problems !== shown) {
    announce(problems || "Everything answers again.");
    shown = problems;
  }
  fill(banner, health.problems.map((problem) => h("div", { class: "health-problem", data: { part: problem.part } },
    h("p", null,
      h("strong", null, problem.what),
      " since ", h("time", { datetime: problem.since }, `${time(problem.since).slice(0, 19)} UTC`),
      ` (${duration(Date.parse(health.at) - Date.parse(problem.since))}), as ${health.node} sees it.`),
    h("p", null, problem.meaning),
    h("p", { class: "health-cause" }, `Last error: ${problem.cause}`))));
}
