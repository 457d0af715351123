// The page of one key: its state, its whole story, its steps and the stored response.

import { get } from "./api.js";
import { bodyView } from "./body.js";
import { fill, h, table } from "./dom.js";
import { bytes, count } from "./format.js";
import { empty, failure, loading, moment } from "./parts.js";
import { openResolve } from "./resolve.js";
import { badge, meaningOf, stateOf } from "./states.js";
import { story } from "./story.js";

export function showKey(root, digest, setTitle) {
  const abort = new AbortController();
  const content = h("div");
  let current = null;
  const load = async (notice) => {
    if (!content.hasChildNodes()) {
      fill(content, h("h1", { tabindex: "-1" }, "Key"), loading("the key"));
    }
    try {
      current = await get(`api/keys/${encodeURIComponent(digest)}`, abort.signal);
      setTitle(current.key);
      fill(content, notice, page(current, resolve));
    } catch (error) {
      if (!abort.signal.aborted) {
        current = null;
        fill(content, h("h1", { tabindex: "-1" }, "Key"), notice, error.status === 404 ? gone(digest) : failure(error, () => load()));
      }
    }
  };
  const resolve = () => {
    if (current?.resolvable) {
      openResolve(current, async (done) => {
        await load(h("p", { class: "notice good", role: "status", id: "resolved" }, done));
        content.querySelector("h1")?.focus();
      });
    }
  };
  fill(root, content);
  const loaded = load();
  return { title: "Key", loaded, refresh: () => load(), dispose: () => abort.abort(), shortcuts: { d: resolve } };
}

function gone(digest) {
  return [
    empty("There is no such key", "It was freed, its retention and audit window have passed, or the link is wrong. The digest was ", h("code", { class: "break" }, digest), "."),
    h("p", { class: "buttons centred" }, h("a", { class: "button", href: "#/keys" }, "Search keys")),
  ];
}

function page(key, resolve) {
  return [
    h("p", { class: "crumbs" }, h("a", { href: "#/keys" }, "Keys"), " / ", h("a", { href: `#/keys?operation=${encodeURIComponent(key.operation)}` }, key.operation)),
    h("div", { class: "key-head" },
      h("h1", { tabindex: "-1", class: "mono break" }, key.key),
      badge(stateOf(key))),
    h("div", { class: `verdict ${key.resolvable ? "open" : ""}` },
      h("p", null, meaningOf(key)),
      key.resolvable && h("button", { type: "button", class: "primary", id: "resolve", onclick: resolve }, "Resolve…")),
    facts(key),
    h("h2", null, "Story ", h("span", { class: "hint" }, "times in UTC")),
    story(key),
    !key.auditedSince && [h("h2", null, "Steps"), steps(key.steps)],
    h("h2", null, key.auditedSince ? "Response" : "Stored response"),
    key.auditedSince ? auditedOutcome(key) : key.outcome ? outcome(key.outcome) : h("p", { class: "muted" }, "None: the key has no outcome."),
  ];
}

function facts(key) {
  const fact = (name, value) => h("div", null, h("dt", null, name), h("dd", null, value));
  const mono = (text) => h("span", { class: "mono break" }, text);
  return h("dl", { class: "facts-grid" },
    fact("Operation", key.operation),
    fact("Scope", mono(key.scope)),
    fact("Namespace", mono(key.namespace)),
    fact("Attempt", count(key.attempt)),
    fact("Fencing token", mono(String(key.token))),
    fact("Claimed", moment(key.claimedAt)),
    fact(key.settledAt ? "Last lease until" : "Lease until", moment(key.leaseUntil)),
    fact("Settled", moment(key.settledAt)),
    fact(key.auditedSince ? "Expired" : "Expires", moment(key.expiresAt)),
    key.auditedSince && fact("In the audit window since", key.auditedSince),
    key.traceId && fact("Trace", mono(key.traceId)),
    fact("Fingerprint of the request", mono(key.fingerprint)),
    fact("Digest", mono(key.digest)));
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
