// A stored body, rendered and raw. Both are text: whatever a body contains, it is never interpreted.

import { fill, h } from "./dom.js";
import { bytes } from "./format.js";
import { indentJson } from "./json.js";

const HEX_ROWS = 256;

export function bodyView(stored) {
  const body = stored.body;
  if (!body.kept) {
    return h("p", { class: "muted" }, "The body was too large to store: duplicates get the status and headers, and a note that the body is missing.");
  }
  if (body.bytes === 0) {
    return h("p", { class: "muted" }, "The body is empty.");
  }
  const shown = h("pre", { tabindex: "0", id: "body", "aria-label": "Stored body" });
  const views = {
    Rendered: () => (body.text === null ? hexDump(decode(body.base64)) : rendered(stored)),
    Raw: () => body.text ?? body.base64,
    Bytes: () => hexDump(decode(body.base64)),
  };
  const buttons = Object.entries(views).map(([name, view]) => h("button", {
    type: "button", "aria-pressed": "false", "aria-controls": "body",
    onclick: (event) => {
      buttons.forEach((button) => button.setAttribute("aria-pressed", String(button === event.currentTarget)));
      fill(shown, view());
    },
  }, name));
  buttons[0].click();
  return h("div", { class: "body" },
    h("div", { class: "buttons", role: "group", "aria-label": "How to show the body" }, buttons),
    body.truncated && h("p", { class: "notice warn" }, `Only the beginning of ${bytes(body.bytes)} is shown.`),
    shown);
}

function rendered(stored) {
  const type = (stored.contentType ?? "").split(";")[0].trim().toLowerCase();
  const json = type === "application/json" || type.endsWith("+json");
  return json && !stored.body.truncated ? indentJson(stored.body.text) : stored.body.text;
}

function decode(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function hexDump(data) {
  const rows = [];
  for (let at = 0; at < data.length && rows.length < HEX_ROWS; at += 16) {
    const row = [...data.subarray(at, at + 16)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ").padEnd(47);
    const text = row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".")).join("");
    rows.push(`${at.toString(16).padStart(6, "0")}  ${hex}  ${text}`);
  }
  if (data.length > HEX_ROWS * 16) {
    rows.push(`… the first ${bytes(HEX_ROWS * 16)} of ${bytes(data.length)}`);
  }
  return rows.join("\n");
}
