// The page of one key: its state, its whole story, its steps and the stored response.

import { get } from "./api.js";
import { auditTable } from "./audit.js";
import { bodyView } from "./body.js";
import { announce, fill, h, table } from "./dom.js";
import { bytes, count } from "./format.js";
import { noteLoaded } from "./live.js";
import { may, onKnown, traceLink } from "./me.js";
import { empty, failure, loading, moment } from "./parts.js";
import { openResolve } from "./resolve.js";
import { badge, meaningOf, stateOf } from "./states.js";
import { story } from "./story.js";

export function showKey(root, digest, setTitle) {
  const abort = new AbortController();
  const content = h("div");
  const next = h("p", { class: "next-unknown", id: "next-unknown", hidden: true });
  let current = null;
  const load = async (notice) => {
    if (!content.hasChildNodes()) {
      fill(content, h("h1", { tabindex: "-1" }, "Key"), loading("the key"));
    }
    try {
      current = await get(`api/keys/${encodeURIComponent(digest)}`, abort.signal);
      const decisions = await decisionsAbout(digest, abort.signal);
      setTitle(current.key);
      fill(content, notice, page(current, decisions, resolve));
      noteLoaded();
    } catch (error) {
      if (!abort.signal.aborted) {
        current = null;
        fill(content, h("h1", { tabindex: "-1" }, "Key"), notice, error.status === 404 ? gone(digest, await decisionsAbout(digest, abort.signal)) : failure(error, () => load()));
      }
    }
    await showNext(next, digest, current?.state === "unknown", abort.signal);
  };
  const resolve = () => {
    if (current?.resolvable && may("operate")) {
      openResolve([current], async (done) => {
        await load(h("p", { class: "notice good", role: "status", id: "resolved" }, done));
        (next.hidden ? content.querySelector("h1") : next.querySelector("a"))?.focus();
      });
    }
  };
  fill(root, next, content);
  const loaded = load();
  const forget = onKnown(() => current && load());
  return {
    title: "Key", loaded, refresh: () => load(),
    dispose: () => {
      forget();
      abort.abort();
    },
    shortcuts: { d: resolve, n: () => next.querySelector("a")?.click() },
  };
}

// Who decided about this key, if the store keeps it.
async function decisionsAbout(digest, signal) {
  try {
    return (await get(`api/audit?subject=${encodeURIComponent(digest)}`, signal)).entries;
  } catch {
    return [];
  }
}

// The way through a list of unknown keys, one after the other.
async function showNext(element, digest, isOne, signal) {
  try {
    const unknown = await get("api/search?state=unknown&limit=2", signal);
    const other = unknown.keys.find((key) => key.digest !== digest);
    const left = unknown.total - (isOne ? 1 : 0);
    element.hidden = !other;
    fill(element, other && h("a", { href: `#/keys/${other.digest}` }, `Next unknown (${count(left)}${unknown.complete ? "" : " or more"} left)`));
  } catch {
    // A shortcut only: the page says by itself what is wrong.
    element.hidden = true;
  }
}

function gone(digest, decisions) {
  return [
    empty("There is no such key", "It was released, its retention and audit window have passed, or the link is wrong. The digest was ", h("code", { class: "break" }, digest), "."),
    decisions.length > 0 && [h("h2", null, "Decisions"), auditTable(decisions, false)],
    h("p", { class: "buttons centred" }, h("a", { class: "button", href: "#/keys" }, "Search keys")),
  ];
}

function page(key, decisions, resolve) {
  return [
    h("p", { class: "crumbs" }, h("a", { href: "#/keys" }, "Keys"), " / ", h("a", { href: `#/keys?operation=${encodeURIComponent(key.operation)}` }, key.operation)),
    h("div", { class: "key-head" },
      h("h1", { tabindex: "-1", class: "mono break" }, key.key), copy("key", key.key),
      badge(stateOf(key))),
    key.about && h("p", { class: "about mono break", id: "about" }, key.about),
    h("div", { class: `verdict ${key.resolvable ? "open" : ""}` },
      h("p", null, key.cause && h("strong", { id: "cause" }, `${sentence(key.cause)} `), meaningOf(key)),
      key.resolvable && (may("operate")
        ? h("button", { type: "button", class: "primary", id: "resolve", onclick: resolve }, "Resolve…")
        : h("p", { class: "muted" }, "Your token may read, but not decide."))),
    facts(key),
    elsewhere(key),
    h("h2", null, "Story ", h("span", { class: "hint" }, "times in UTC")),
    story(key),
    decisions.length > 0 && [h("h2", null, "Decisions"), auditTable(decisions, false)],
    !key.auditedSince && [h("h2", null, "Steps"), steps(key.steps)],
    h("h2", null, key.auditedSince ? "Response" : "Stored response"),
    key.auditedSince ? auditedOutcome(key) : key.outcome ? outcome(key.outcome) : h("p", { class: "muted" }, "None: the key has no outcome yet."),
  ];
}

function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

// Not there where the browser has no clipboard: it needs a secure address.
function copy(what, text, label = "Copy") {
  if (!navigator.clipboard) {
    return null;
  }
  const button = h("button", { type: "button", class: "quiet copy", "aria-label": `Copy the ${what}`, title: `Copy the ${what}`, onclick: async () => {
    try {
      await navigator.clipboard.writeText(text);
      fill(button, "Copied");
      announce(`Copied the ${what}`);
      setTimeout(() => fill(button, label), 1500);
    } catch {
      announce(`The browser did not copy the ${what}`);
    }
  } }, label);
  return button;
}

// To continue elsewhere: in a terminal, or in a ticket.
function elsewhere(key) {
  const command = `semel keys show ${key.digest.slice(0, 12)} --gateway ${location.origin}`;
  return h("p", { class: "elsewhere", id: "elsewhere" },
    h("code", { class: "break" }, command), copy("command", command), copy("whole story", JSON.stringify(key, null, 2), "Copy all as JSON"));
}

function facts(key) {
  const fact = (name, value, extra) => h("div", null, h("dt", null, name), h("dd", null, value, extra && [" ", extra]));
  const mono = (text) => h("span", { class: "mono break" }, text);
  const trace = key.traceId && traceLink(key.traceId);
  return h("dl", { class: "facts-grid" },
    fact("Operation", key.operation),
    fact("Scope", mono(key.scope), copy("scope", key.scope)),
    fact("Attempt", count(key.attempt)),
    fact("Claimed", moment(key.claimedAt)),
    fact(key.settledAt ? "Last lease until" : "Lease until", moment(key.leaseUntil)),
    fact("Settled", moment(key.settledAt)),
    fact(key.auditedSince ? "Expired" : "Expires", moment(key.expiresAt)),
    key.auditedSince && fact("In the audit window since", key.auditedSince),
    key.traceId && fact("Trace", trace ? h("a", { href: trace, rel: "noreferrer noopener", target: "_blank", class: "mono break" }, key.traceId) : mono(key.traceId), copy("trace id", key.traceId)),
    fact("Digest", mono(key.digest), copy("digest", key.digest)),
    fact("Fencing token", mono(String(key.token))),
    fact("Namespace", mono(key.namespace)),
    fact("Fingerprint of the request", mono(key.fingerprint)));
}

function steps(recorded) {
  if (recorded.length === 0) {
    return h("p", { class: "muted" }, "None recorded.");
  }
  return table("Steps that the operation recorded", [{ title: "Step" }, { title: "Size", class: "number" }, { title: "Result" }],
    recorded.map((step) => h("tr", null,
      h("th", { scope: "row" }, step.name),
      h("td", { class: "number nowrap" }, bytes(step.bytes)),
      h("td", null, h("code", { class: "break" }, step.text ?? `${step.base64} (base64)`)))));
}

function auditedOutcome(key) {
  return h("p", null, badge(key.outcome.result), " ", key.outcome.status ? h("strong", null, key.outcome.status) : "no status",
    " ", h("span", { class: "muted" }, key.bodyBytes === null ? "no body" : `the body had ${bytes(key.bodyBytes)}, and was not kept`));
}

function outcome(stored) {
  return h("div", null,
    h("p", null, badge(stored.result), " ", stored.status ? h("strong", null, stored.status) : "no status",
      " ", h("span", { class: "muted" }, stored.contentType ?? "no content type", " · ", stored.body.kept ? bytes(stored.body.bytes) : "body too large to keep")),
    stored.headers.length > 0 && table("Stored headers", [{ title: "Header" }, { title: "Value" }],
      stored.headers.map((header) => h("tr", null, h("th", { scope: "row", class: "mono" }, header.name), h("td", { class: "mono break" }, header.value)))),
    bodyView(stored));
}
