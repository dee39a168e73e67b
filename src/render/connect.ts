/**
 * How each client is connected to a server: what to type or to write into which file, and a link that does it where the
 * client has one. The one place where these are made; the route `/connect` and the documentation show them.
 *
 * No guide holds a key: it names the environment variable `TREELINE_KEY`, or lets the client ask.
 *
 * Pure: an address in, texts out.
 */

/** A server to connect to. */
export interface ConnectTarget {
  /** Origin of the deployment, `https://docs.example.com`. */
  readonly origin: string;
  /** Whether callers need a key. */
  readonly needsKey: boolean;
}

/** How one client is connected. */
export interface ClientGuide {
  /** For programs and anchors. */
  readonly id: string;
  readonly client: string;
  /** What to do with the snippet, in a sentence. */
  readonly step: string;
  /** Language of the snippet. */
  readonly language: "sh" | "json" | "toml" | "text";
  readonly snippet: string;
  /** Opens the client and asks the user whether to add the server. */
  readonly link?: string;
}

/** Name under which clients list the server. */
const NAME = "treeline";
const KEY_VARIABLE = "TREELINE_KEY";
const KEY_INPUT = "treeline-key";

/** Guides for all clients that are known, for this server. */
export function listClientGuides(target: ConnectTarget): readonly ClientGuide[] {
  const url = `${target.origin}/mcp`;
  return [
    claudeCode(url, target),
    claudeDesktop(url, target),
    cursor(url, target),
    vsCode(url, target),
    codex(url, target),
    geminiCli(url, target),
    windsurf(url, target),
    chatGpt(target),
    stdioProxy(url, target),
    stdioServer(),
  ];
}

/** The guides as Markdown, a heading each. */
export function formatClientGuides(target: ConnectTarget): string {
  const guides = listClientGuides(target).map(({ client, step, language, snippet, link }) =>
    [
      `## ${client}`,
      step,
      ["```", language, "\n", snippet, "\n```"].join(""),
      ...(link ? [`Or open \`${link}\``] : []),
    ].join("\n\n"),
  );
  return [`# Connect to ${target.origin}`, describeAccess(target), ...guides].join("\n\n").concat("\n");
}

/** What a caller needs, in a sentence. */
export function describeAccess({ origin, needsKey }: ConnectTarget): string {
  const address = `The server speaks MCP over HTTP at ${origin}/mcp`;
  return needsKey
    ? `${address} and asks for a key: set the environment variable ${KEY_VARIABLE} to yours.`
    : `${address}; no key is needed.`;
}

function claudeCode(url: string, { needsKey }: ConnectTarget): ClientGuide {
  const header = needsKey ? ` --header "Authorization: Bearer $${KEY_VARIABLE}"` : "";
  return {
    id: "claude-code",
    client: "Claude Code",
    step: "In a terminal:",
    language: "sh",
    snippet: `claude mcp add --transport http ${NAME} ${url}${header}`,
  };
}

function claudeDesktop(url: string, target: ConnectTarget): ClientGuide {
  return {
    id: "claude-desktop",
    client: "Claude Desktop",
    step: target.needsKey
      ? "In `claude_desktop_config.json` (Settings, Developer, Edit Config), with your key in place of the dots:"
      : "Settings, Connectors, Add custom connector, with the address of the server; or in `claude_desktop_config.json` (Settings, Developer, Edit Config):",
    language: "json",
    snippet: toJson({ mcpServers: { [NAME]: proxyCommand(url, target) } }),
  };
}

function cursor(url: string, target: ConnectTarget): ClientGuide {
  const server = { url, ...headersFrom(target, `\${env:${KEY_VARIABLE}}`) };
  return {
    id: "cursor",
    client: "Cursor",
    step: "In `~/.cursor/mcp.json`, or `.cursor/mcp.json` of a project:",
    language: "json",
    snippet: toJson({ mcpServers: { [NAME]: server } }),
    link: `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${encodeURIComponent(btoa(JSON.stringify(server)))}`,
  };
}

function vsCode(url: string, target: ConnectTarget): ClientGuide {
  const server = { type: "http", url, ...headersFrom(target, `\${input:${KEY_INPUT}}`) };
  const inputs = target.needsKey
    ? { inputs: [{ type: "promptString", id: KEY_INPUT, description: "Key for Treeline", password: true }] }
    : {};
  return {
    id: "vs-code",
    client: "VS Code",
    step: "In `.vscode/mcp.json` of a project:",
    language: "json",
    snippet: toJson({ ...inputs, servers: { [NAME]: server } }),
    link: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: NAME, ...server, ...inputs }))}`,
  };
}

function codex(url: string, { needsKey }: ConnectTarget): ClientGuide {
  const key = needsKey ? [`bearer_token_env_var = "${KEY_VARIABLE}"`] : [];
  return {
    id: "codex",
    client: "Codex",
    step: "In `~/.codex/config.toml`:",
    language: "toml",
    snippet: [`[mcp_servers.${NAME}]`, `url = "${url}"`, ...key].join("\n"),
  };
}

function geminiCli(url: string, { needsKey }: ConnectTarget): ClientGuide {
  const header = needsKey ? ` --header "Authorization: Bearer $${KEY_VARIABLE}"` : "";
  return {
    id: "gemini-cli",
    client: "Gemini CLI",
    step: "In a terminal:",
    language: "sh",
    snippet: `gemini mcp add --transport http${header} ${NAME} ${url}`,
  };
}

function windsurf(url: string, target: ConnectTarget): ClientGuide {
  const server = { serverUrl: url, ...headersFrom(target, `\${env:${KEY_VARIABLE}}`) };
  return {
    id: "windsurf",
    client: "Windsurf",
    step: "In `~/.codeium/windsurf/mcp_config.json`:",
    language: "json",
    snippet: toJson({ mcpServers: { [NAME]: server } }),
  };
}

function chatGpt({ origin, needsKey }: ConnectTarget): ClientGuide {
  const step = "Settings, Connectors, Create (in developer mode), without authentication, with this address:";
  return {
    id: "chatgpt",
    client: "ChatGPT",
    step: needsKey
      ? "ChatGPT sends no keys, so it reaches this server only where an authorization server stands before it. The address is:"
      : step,
    language: "text",
    snippet: `${origin}/mcp?tools=openai`,
  };
}

function stdioProxy(url: string, target: ConnectTarget): ClientGuide {
  return {
    id: "mcp-remote",
    client: "Any client that starts programs",
    step: "`mcp-remote` passes on what such a client says:",
    language: "json",
    snippet: toJson({ mcpServers: { [NAME]: proxyCommand(url, target) } }),
  };
}

function stdioServer(): ClientGuide {
  const args = ["/path/to/treeline/indexer/cli.ts", "mcp", "--index", "/path/to/index"];
  return {
    id: "stdio",
    client: "Without a server",
    step: "`treeline mcp` answers the same out of an index on this machine; with Node 24 and a clone of Treeline:",
    language: "json",
    snippet: toJson({ mcpServers: { [NAME]: { command: "node", args } } }),
  };
}

/** `mcp-remote` takes plain HTTP for this machine alone, and some clients break arguments at spaces: the key is apart. */
function proxyCommand(url: string, { origin, needsKey }: ConnectTarget): object {
  const { protocol, hostname } = new URL(origin);
  const isPlain = protocol === "http:" && hostname !== "localhost" && hostname !== "127.0.0.1";
  const key = needsKey ? ["--header", `Authorization:\${AUTHORIZATION}`] : [];
  return {
    command: "npx",
    args: ["-y", "mcp-remote", url, ...(isPlain ? ["--allow-http"] : []), ...key],
    ...(needsKey && { env: { AUTHORIZATION: "Bearer …" } }),
  };
}

function headersFrom({ needsKey }: ConnectTarget, key: string): object {
  return needsKey ? { headers: { Authorization: `Bearer ${key}` } } : {};
}

function toJson(value: object): string {
  return JSON.stringify(value, undefined, 2);
}
