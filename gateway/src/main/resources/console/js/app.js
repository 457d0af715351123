// Starts the console: which page an address means, the bar at the top, and the keyboard.

import { showAudit } from "./audit.js";
import { showClients } from "./clients.js";
import { dialogIsOpen } from "./dialog.js";
import { announce, setText } from "./dom.js";
import { count, plural, time } from "./format.js";
import { startHealth } from "./health.js";
import { openHelp, shortcutsAreOn } from "./help.js";
import { showKey } from "./key.js";
import { showKeys } from "./keys.js";
import { forgetLoaded, lastLoaded, latest, start, subscribe } from "./live.js";
import { learnWhoIAm, myName, onKnown } from "./me.js";
import { showOverview } from "./overview.js";
import { installTokenPrompt, takeTokenFromAddress } from "./token.js";

const main = document.getElementById("main");
const GO = { n: "#/", k: "#/keys", c: "#/clients", a: "#/audit", u: "#/keys?state=unknown", l: "#/keys?state=lapsed" };
const CHORD = 1500;

let view = null;
let pendingGo = 0;
let searchWanted = false;

function route() {
  takeTokenFromAddress();
  const [path, text = ""] = location.hash.replace(/^#/, "").split("?");
  const query = new URLSearchParams(text);
  const first = view === null;
  view?.dispose();
  forgetLoaded();
  if (path.startsWith("/keys/")) {
    view = showKey(main, path.slice("/keys/".length), setTitle);
    markNav("");
  } else if (path === "/keys") {
    view = showKeys(main, query);
    markNav(query.get("state") === "unknown" ? "unknown" : "keys");
  } else if (path === "/clients") {
    view = showClients(main);
    markNav("clients");
  } else if (path === "/audit") {
    view = showAudit(main, query);
    markNav("audit");
  } else {
    view = showOverview(main, query);
    markNav("now");
  }
  setTitle(view.title);
  showLive(latest());
  if (searchWanted) {
    searchWanted = false;
    toSearch();
  } else if (!first) {
    arrive(view);
  }
}

// A new page begins at its top, for the eyes, the keyboard and the screen reader.
function arrive(here) {
  focusHeading();
  here.loaded?.then(() => here === view && focusHeading());
  window.scrollTo(0, 0);
  announce(here.title);
}

function focusHeading() {
  main.querySelector("h1")?.focus({ preventScroll: true });
}

function setTitle(title) {
  view.title = title;
  showTitle();
}

function showTitle() {
  const waiting = undecided();
  document.title = `${waiting > 0 ? `(${count(waiting)}) ` : ""}${view.title} · Semel`;
}

function undecided() {
  const keys = latest().overview?.keys;
  return keys ? (keys.unknown ?? 0) + (keys.lapsed ?? 0) : 0;
}

function markNav(name) {
  for (const link of document.querySelectorAll("[data-nav]")) {
    if (link.dataset.nav === name) {
      link.setAttribute("aria-current", "page");
    } else {
      link.removeAttribute("aria-current");
    }
  }
}

function showLive({ overview, error }) {
  const live = document.getElementById("live");
  if (!overview && !error) {
    return;
  }
  const failing = overview?.health?.status === "failing";
  const state = error ? "lost" : overview.draining ? "draining" : failing ? "failing" : view?.live ? "live" : "loaded";
  const words = {
    lost: error?.status === 401 || error?.status === 429 ? "no token" : error?.status === 403 ? "not allowed" : "no answer",
    draining: "draining", failing: "failing", live: "live", loaded: lastLoaded() ? `as of ${time(new Date(lastLoaded()).toISOString()).slice(11, 19)}` : "",
  };
  if (live.dataset.live !== state) {
    live.dataset.live = state;
    if (state !== "loaded") {
      announce(words[state]);
    }
  }
  setText(live, words[state]);
  const attention = document.getElementById("attention");
  const unknown = overview?.keys?.unknown ?? 0;
  attention.hidden = unknown === 0;
  setText(attention, plural(unknown, "unknown", "unknown"));
  showTitle();
}

function isTyping(target) {
  return target.matches("input, textarea, select, [contenteditable]");
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || dialogIsOpen() || !shortcutsAreOn()) {
    return;
  }
  const shortcut = find(event.key, Date.now() - pendingGo < CHORD);
  pendingGo = event.key === "g" ? Date.now() : 0;
  if (shortcut) {
    event.preventDefault();
    shortcut();
  }
}

function find(key, going) {
  if (going && GO[key]) {
    return () => {
      location.hash = GO[key];
    };
  }
  return view.shortcuts?.[key] ?? { "?": openHelp, "/": toSearch, r: () => view.refresh() }[key];
}

function toSearch() {
  const field = document.getElementById("f-q");
  if (field) {
    field.focus();
    field.select();
  } else {
    searchWanted = true;
    location.hash = "#/keys";
  }
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
document.getElementById("help-button").addEventListener("click", openHelp);
document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", route);
installTokenPrompt();
subscribe(showLive);
const stopWaiting = subscribe(({ overview }) => {
  // Only after a login: a wrong token should not be sent more often than necessary.
  if (overview) {
    stopWaiting();
    learnWhoIAm();
  }
});
onKnown(() => {
  const who = document.getElementById("who");
  who.hidden = myName() === "" || myName() === "admin";
  setText(who, myName());
});
route();
start();
startHealth();
