// Indents JSON without changing it: numbers, escapes, order and repeated members stay as they were stored, which a
// parse and a print would not keep. What is not JSON comes back as it is.

export function indentJson(text) {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let out = "";
  let depth = 0;
  tokens.forEach((token, index) => {
    const next = tokens[index + 1];
    if (token === "{" || token === "[") {
      const closed = next === "}" || next === "]";
      depth++;
      out += closed ? token : `${token}\n${"  ".repeat(depth)}`;
    } else if (token === "}" || token === "]") {
      depth--;
      const opened = tokens[index - 1] === "{" || tokens[index - 1] === "[";
      out += opened ? token : `\n${"  ".repeat(depth)}${token}`;
    } else if (token === ",") {
      out += `,\n${"  ".repeat(depth)}`;
    } else {
      out += token === ":" ? ": " : token;
    }
  });
  return out;
}
