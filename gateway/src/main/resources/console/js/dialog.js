// A modal dialog that gives the focus back where it was.

import { h } from "./dom.js";

let counter = 0;

export function openDialog(title, content, onClosed = () => {}) {
  const heading = `dialog-${++counter}`;
  const before = document.activeElement;
  const dialog = h("dialog", { "aria-labelledby": heading, onclose: () => {
    dialog.remove();
    before?.focus?.();
    onClosed();
  } },
  h("div", { class: "dialog-head" },
    h("h2", { id: heading }, title),
    h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: () => dialog.close() }, "✕")),
  content);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function dialogIsOpen() {
  return document.querySelector("dialog[open]") !== null;
}
