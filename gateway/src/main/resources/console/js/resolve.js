// Resolving lapsed or unknown keys, one or many: first the decision and its reason, then what follows, then the deed.

import { ApiError, post } from "./api.js";
import { preview, sendDecisions, summary } from "./decide.js";
import { openDialog } from "./dialog.js";
import { fill, h } from "./dom.js";
import { count } from "./format.js";
import { needsTwo } from "./me.js";
import { badge } from "./states.js";

const CHOICES = {
  succeeded: {
    label: "It happened",
    effect: "The key is settled as succeeded. Every later request with this key gets the response that you enter. Nothing runs.",
    confirm: "Settle as succeeded",
    done: "Settled as succeeded.",
    fallback: "an empty 200",
    risk: "If it did not happen after all, the client still thinks that it did.",
  },
  failed: {
    label: "It failed, for good",
    effect: "The key is settled as failed. Every later request with this key gets that failure. Nothing runs; the client may try again with a new key.",
    confirm: "Settle as failed",
    done: "Settled as failed.",
    fallback: "a problem of type operation-failed",
    risk: "If it happened after all, a client that tries again with a new key makes it happen twice.",
  },
  released: {
    label: "It was not executed",
    effect: "The key is released. The next request with this key runs the operation.",
    confirm: "Release the key",
    done: "Released: the next request with this key runs the operation.",
    risk: "If it happened after all, the next request makes it happen twice.",
    check: "I have checked, where the effect would be, that it did not happen",
  },
};

// keys: one or more, as they were seen; each decision holds only while its key is still like that.
export function openResolve(keys, onDone) {
  const content = h("div", { class: "resolve" });
  const decision = { outcome: null, reason: "", custom: false, status: "", contentType: "application/json", body: "" };
  const dialog = openDialog(keys.length === 1 ? "Resolve this key" : `Resolve ${count(keys.length)} keys`, content);
  const choose = () => showChoice(content, keys, decision, () => dialog.close(), () =>
    showConfirmation(content, keys, decision, choose, async (done) => {
      dialog.close();
      await onDone(done);
    }));
  choose();
}

function about(keys) {
  if (keys.length > 1) {
    return preview(keys);
  }
  const key = keys[0];
  return h("p", { class: "resolve-key" }, badge(key.state), " ", h("strong", { class: "mono break" }, key.key), " ",
    h("span", { class: "muted" }, `${key.operation} · ${key.scope}`));
}

function showChoice(content, keys, decision, cancel, next) {
  const response = h("div");
  const reason = h("textarea", { id: "reason", required: true, maxlength: "500", rows: "2", "aria-describedby": "reason-hint" });
  reason.value = decision.reason;
  const continueButton = h("button", { type: "submit", class: "primary" }, "Continue");
  const pick = (name) => {
    decision.outcome = name;
    fill(response, name !== "released" && responseFields(decision, CHOICES[name].fallback));
  };
  const form = h("form", { onsubmit: (event) => {
    event.preventDefault();
    decision.reason = reason.value.trim();
    if (decision.reason) {
      next();
    } else {
      reason.value = "";
      reason.reportValidity();
    }
  } },
  about(keys),
  keys.some((key) => key.state === "lapsed") && h("p", { class: "notice warn" },
    "The owner of a lapsed key stopped renewing its lease, but may still be running. After your decision it can no longer write to the key, but what it does elsewhere cannot be stopped."),
  h("fieldset", null,
    h("legend", null, keys.length === 1 ? "What happened to the operation? Look where its effect would be before you answer." : "What happened to all of these operations? Look where their effects would be before you answer."),
    Object.entries(CHOICES).map(([name, choice]) => h("label", { class: "choice" },
      h("input", { type: "radio", name: "outcome", value: name, required: true, checked: decision.outcome === name, onchange: () => pick(name) }),
      h("span", null, h("strong", null, choice.label), h("span", { class: "muted" }, choice.effect))))),
  response,
  h("label", { for: "reason" }, "Reason"), reason,
  h("p", { class: "hint", id: "reason-hint" }, "Required, at most 500 characters. It is stored in the audit with your name, and in the history of the key."),
  h("div", { class: "buttons" },
    h("button", { type: "button", onclick: cancel }, "Cancel"), continueButton));
  fill(content, form);
  if (decision.outcome) {
    pick(decision.outcome);
  }
  (form.querySelector("input:checked") ?? form.querySelector("input")).focus();
}

function responseFields(decision, fallback) {
  const fields = h("div", { class: "response-fields", hidden: !decision.custom });
  const bind = (name, element) => {
    element.value = decision[name];
    element.addEventListener("input", () => {
      decision[name] = element.value;
    });
    return element;
  };
  fill(fields,
    h("div", { class: "field" }, h("label", { for: "r-status" }, "Status"),
      bind("status", h("input", { id: "r-status", type: "number", min: "200", max: "599", placeholder: "200" }))),
    h("div", { class: "field" }, h("label", { for: "r-type" }, "Content type"), bind("contentType", h("input", { id: "r-type", spellcheck: "false" }))),
    h("div", { class: "field whole" }, h("label", { for: "r-body" }, "Body"), bind("body", h("textarea", { id: "r-body", rows: "4", class: "mono", spellcheck: "false" }))));
  return h("div", null,
    h("label", { class: "check" },
      h("input", { type: "checkbox", id: "r-custom", checked: decision.custom, onchange: (event) => {
        decision.custom = event.target.checked;
        fields.hidden = !decision.custom;
      } }),
      ` Give the response that duplicates get. Without one it is ${fallback}.`),
    fields);
}

function request(key, decision) {
  const body = { digest: key.digest, token: key.token, outcome: decision.outcome, reason: decision.reason };
  if (decision.custom && decision.outcome !== "released") {
    if (decision.status) {
      body.status = Number(decision.status);
    }
    if (decision.contentType.trim()) {
      body.contentType = decision.contentType.trim();
    }
    body.body = decision.body;
  } else if (decision.outcome === "succeeded") {
    body.status = 200;
    body.body = "";
  }
  return body;
}

function showConfirmation(content, keys, decision, back, done) {
  const choice = CHOICES[decision.outcome];
  const trouble = h("div");
  const confirm = h("button", { type: "submit", class: decision.outcome === "released" ? "danger" : "primary", id: "confirm" }, choice.confirm);
  const form = h("form", { onsubmit: async (event) => {
    event.preventDefault();
    confirm.disabled = true;
    try {
      await done(await send(keys, decision, (sent) => fill(trouble, h("p", { class: "muted" }, `${count(sent)} of ${count(keys.length)}…`))));
    } catch (error) {
      confirm.disabled = false;
      fill(trouble, explain(error));
    }
  } },
  about(keys),
  h("p", { class: "consequence" }, h("strong", null, `${choice.label}. `), choice.effect),
  decision.outcome !== "released" && responseShown(keys[0], decision, choice.fallback),
  decision.outcome === "released" && needsTwo("release") && h("p", { class: "notice warn" }, "This needs two people: it takes effect when a second person sends the same decision within a day."),
  h("p", { class: "notice warn" }, choice.risk, " This cannot be undone."),
  h("p", null, h("span", { class: "muted" }, "Reason: "), h("span", { class: "break" }, decision.reason)),
  choice.check && h("label", { class: "check" }, h("input", { type: "checkbox", id: "checked", required: true }), ` ${choice.check}.`),
  trouble,
  h("div", { class: "buttons" }, h("button", { type: "button", onclick: back }, "Back"), confirm));
  fill(content, form);
  (form.querySelector("#checked") ?? confirm).focus();
}

async function send(keys, decision, progress) {
  if (keys.length > 1) {
    return summary(await sendDecisions(keys.map((key) => request(key, decision)), decision.reason, progress));
  }
  const answer = await post(`api/keys/${encodeURIComponent(keys[0].digest)}/resolve`, request(keys[0], decision));
  return answer.proposed ? "Proposed: it takes effect when a second person sends the same decision within a day." : CHOICES[decision.outcome].done;
}

// What duplicates will get, as it will be sent.
function responseShown(key, decision, fallback) {
  if (!decision.custom) {
    return h("p", null, h("span", { class: "muted" }, "Duplicates get "), `${fallback}.`);
  }
  const body = request(key, decision);
  return h("div", null,
    h("p", null, h("span", { class: "muted" }, "Duplicates get "), h("strong", null, body.status ?? (decision.outcome === "succeeded" ? 200 : "no status")), " ", h("span", { class: "muted" }, body.contentType ?? "no content type")),
    body.body ? h("pre", { tabindex: "0", id: "response-shown", "aria-label": "The body that duplicates get" }, body.body) : h("p", { class: "muted" }, "with an empty body"));
}

function explain(error) {
  const held = error.title === "The key is held now";
  const moved = !held && error instanceof ApiError && (error.status === 409 || error.status === 404);
  return h("div", { class: "notice bad", role: "alert" },
    h("strong", null, moved ? "The key has changed since you looked. " : `${error.title ?? "It did not work"}. `),
    moved ? "Nothing was changed. Close this and look at the key again." : error.message);
}
