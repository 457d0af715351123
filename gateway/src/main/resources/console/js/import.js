// Reads a file that says which operations were executed, shows what it would decide, and decides it.

import { post } from "./api.js";
import { openDialog } from "./dialog.js";
import { sendDecisions, summary } from "./decide.js";
import { fill, h, table } from "./dom.js";
import { count, plural } from "./format.js";

const MOST_BYTES = 1_500_000;
const SHOWN_PROBLEMS = 20;

export function openImport(onDone) {
  const content = h("div", { class: "resolve" });
  const dialog = openDialog("Import answers", content, onDone);
  chooseFile(content, dialog);
}

function chooseFile(content, dialog) {
  const file = h("input", { id: "file", type: "file", accept: ".csv,.json,text/csv,application/json", required: true });
  const status = h("input", { id: "i-status", type: "number", min: "200", max: "599", value: "200", required: true });
  const type = h("input", { id: "i-type", spellcheck: "false" });
  const body = h("textarea", { id: "i-body", rows: "2", class: "mono", spellcheck: "false" });
  const trouble = h("div");
  const form = h("form", { onsubmit: async (event) => {
    event.preventDefault();
    try {
      const read = await readRows(file.files[0], { status: Number(status.value), contentType: type.value.trim() || undefined, body: body.value || undefined });
      showPreview(content, dialog, file.files[0].name, read);
    } catch (error) {
      fill(trouble, h("p", { class: "notice bad", role: "alert" }, error.message));
    }
  } },
  h("p", null, "Choose a CSV or JSON file with a row for each key: ", h("code", null, "key"), " (and ", h("code", null, "scope"), ") or ", h("code", null, "digest"), ", and ",
    h("code", null, "executed"), " (yes or no). Export CSV gives you such a file to fill in. Nothing is decided before you have seen what it says."),
  h("label", { for: "file" }, "File"), file,
  h("fieldset", null, h("legend", null, "What duplicates get where it was executed and the row does not say"),
    h("div", { class: "response-fields" },
      h("div", { class: "field" }, h("label", { for: "i-status" }, "Status"), status),
      h("div", { class: "field" }, h("label", { for: "i-type" }, "Content type"), type),
      h("div", { class: "field whole" }, h("label", { for: "i-body" }, "Body"), body))),
  trouble,
  h("div", { class: "buttons" },
    h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
    h("button", { type: "submit", class: "primary" }, "Preview")));
  fill(content, form);
  file.focus();
}

async function readRows(file, response) {
  if (file.size > MOST_BYTES) {
    throw new Error(`The file has ${count(file.size)} bytes, and at most ${count(MOST_BYTES)} can be read here: split it, or use semel keys import.`);
  }
  const text = await file.text();
  if (!text.trimStart().startsWith("[")) {
    return post("api/decisions/preview", { csv: text, response });
  }
  let rows;
  try {
    rows = JSON.parse(text);
  } catch {
    throw new Error("The file starts like JSON, but is not valid JSON: it must be an array of objects.");
  }
  return post("api/decisions/preview", { rows, response });
}

function showPreview(content, dialog, name, read) {
  const ready = read.rows.filter((row) => row.decision);
  const problems = read.rows.filter((row) => row.problem);
  const number = (outcome) => ready.filter((row) => row.decision.outcome === outcome).length;
  const released = number("released");
  const reason = h("textarea", { id: "reason", required: true, maxlength: "500", rows: "2" });
  const trouble = h("div", { role: "status" });
  const apply = h("button", { type: "submit", class: released > 0 ? "danger" : "primary", id: "confirm", disabled: ready.length === 0 }, `Decide ${plural(ready.length, "key", "keys")}`);
  const form = h("form", { onsubmit: async (event) => {
    event.preventDefault();
    apply.disabled = true;
    try {
      const counts = await sendDecisions(ready.map((row) => row.decision), reason.value.trim(),
        (done) => fill(trouble, h("p", { class: "muted" }, `${count(done)} of ${count(ready.length)}…`)));
      fill(content, h("p", { class: "notice good", role: "status", id: "resolved" }, summary(counts)),
        h("div", { class: "buttons" }, h("button", { type: "button", class: "primary", onclick: () => dialog.close() }, "Close")));
      content.querySelector("button").focus();
    } catch (error) {
      apply.disabled = false;
      fill(trouble, h("p", { class: "notice bad", role: "alert" }, `${error.message} What was decided before stays; the same file can be sent again.`));
    }
  } },
  h("p", { id: "import-summary" }, h("strong", null, name), `: ${plural(read.rows.length, "row", "rows")}, ${count(number("succeeded"))} executed, ${count(number("failed"))} failed, ${count(released)} not executed, ${plural(problems.length, "row has a problem", "rows have a problem")} and will be left out.`),
  !read.complete && h("p", { class: "notice warn" }, "There are more undecided keys than could be read, so some rows may not have found theirs."),
  problems.length > 0 && table("Rows with a problem", [{ title: "Row", class: "number" }, { title: "Key" }, { title: "Problem" }],
    problems.slice(0, SHOWN_PROBLEMS).map((row) => h("tr", null, h("td", { class: "number" }, row.row), h("td", { class: "mono break" }, row.name), h("td", null, row.problem)))),
  problems.length > SHOWN_PROBLEMS && h("p", { class: "muted" }, `and ${count(problems.length - SHOWN_PROBLEMS)} more`),
  h("label", { for: "reason" }, "Reason"), reason,
  h("p", { class: "hint" }, "Required. It is stored in the audit with every decision, with your name."),
  released > 0 && h("label", { class: "check" }, h("input", { type: "checkbox", id: "checked", required: true }),
    ` The ${plural(released, "operation", "operations")} marked as not executed will run when the client sends the request again.`),
  trouble,
  h("div", { class: "buttons" }, h("button", { type: "button", onclick: () => chooseFile(content, dialog) }, "Back"), apply));
  fill(content, form);
  reason.focus();
}
