// Calls of the admin API. The token lives in this tab only.

const TOKEN = "semel.token";

let askForToken = () => Promise.resolve(null);

export class ApiError extends Error {
  constructor(status, title, detail) {
    super(detail || title);
    this.status = status;
    this.title = title;
  }
}

export function onTokenNeeded(ask) {
  askForToken = ask;
}

export function hasToken() {
  return sessionStorage.getItem(TOKEN) !== null;
}

export function keepToken(token) {
  sessionStorage.setItem(TOKEN, token);
}

export function forgetToken() {
  sessionStorage.removeItem(TOKEN);
}

export function get(path, signal) {
  return call(path, { signal });
}

export function post(path, body) {
  return call(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Semel-Console": "1" },
    body: JSON.stringify(body),
  });
}

// Saves what the gateway answers as a file; says whether it is all that there is.
export async function download(path, name) {
  const response = await call(path, {}, (answer) => answer);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return response.headers.get("Semel-Complete") !== "false";
}

async function call(path, options, use = (response) => response.json()) {
  for (;;) {
    const token = sessionStorage.getItem(TOKEN);
    const response = await send(path, options, token);
    if (response.status !== 401) {
      return read(response, use);
    }
    // Another call may have got a token from the user in the meantime.
    if (sessionStorage.getItem(TOKEN) === token) {
      const given = await askForToken(token !== null);
      if (given !== null) {
        keepToken(given);
      } else if (sessionStorage.getItem(TOKEN) === token) {
        // Sent again and again, a wrong token would make the gateway take this address for a guesser.
        forgetToken();
        throw await problem(response);
      }
    }
    options.signal?.throwIfAborted();
  }
}

async function send(path, options, token) {
  const headers = { Accept: "application/json", ...options.headers };
  if (token !== null) {
    headers.Authorization = `Bearer ${token}`;
  }
  try {
    return await fetch(path, { ...options, headers, cache: "no-store", credentials: "omit", redirect: "error" });
  } catch (error) {
    if (error.name === "AbortError") {
      throw error;
    }
    throw new ApiError(0, "The gateway does not answer", "No answer from this address: the gateway or the network is down, or the gateway is restarting.");
  }
}

async function read(response, use) {
  if (!response.ok) {
    throw await problem(response);
  }
  return use(response);
}

async function problem(response) {
  const body = await response.json().catch(() => ({}));
  return new ApiError(response.status, body.title ?? `The gateway answered ${response.status}`, body.detail ?? "");
}
