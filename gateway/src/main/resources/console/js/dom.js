// Builds elements. Data becomes text nodes and attributes only: nothing here, or anywhere in the console, parses HTML.

export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (name === "data") {
      Object.assign(element.dataset, value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  put(element, children);
  return element;
}

function put(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
  }
}

export function fill(element, ...children) {
  element.replaceChildren();
  put(element, children);
  return element;
}

// Writes only what changed, so that a selection or a screen reader is not disturbed by every refresh.
export function setText(element, text) {
  const next = String(text);
  if (element.textContent !== next) {
    element.textContent = next;
  }
}

// Columns are {title, class}, rows are elements. The table is inside a region that scrolls by itself when it must.
export function table(caption, columns, rows, props) {
  return h("div", { class: "scroll" },
    h("table", props,
      h("caption", { class: "unseen" }, caption),
      h("thead", null, h("tr", null, columns.map((column) => h("th", { scope: "col", class: column.class }, column.title)))),
      h("tbody", null, rows)));
}

export function announce(text) {
  setText(document.getElementById("announce"), text);
}
