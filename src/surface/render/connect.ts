/**
 * How each client is connected to a server: what to type or to write into which file, and a link that does it where the client has one.
 *
 * No guide holds a key: it names the environment variable `TREELINE_KEY`, or lets the client ask.
 */

export interface ConnectTarget {
  /** Address of the deployment, `https://docs.example.com`, or of one of its corpora, `https://docs.example.com/v2`. */
  readonly origin: string;
  /** Name of the corpus, where it has one. */
  readonly corpus?: string;
  /** Whether callers need a key. */
  readonly needsKey: boolean;
}

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

/** Name under which clients list the server, and with which they list that of a corpus. */
const NAME = "treeline";
const KEY_VARIABLE = "TREELINE_KEY";
const KEY_INPUT = "treeline-key";

/** The header in which a client sends its key, as a shell fills it in: no key is written into a command. */
export const KEY_HEADER = `Authorization: Bearer $${KEY_VARIABLE}`;

/** Guides for all clients that are known, for this server. */
export function listClientGuides(target: ConnectTarget): readonly ClientGuide[] {
  const { origin, needsKey } = target;
  const url = `${origin}/mcp`;
  const name = nameOf(target);
  const header = needsKey ? ` --header "${KEY_HEADER}"` : "";
  const headers = (key: string) => needsKey && { headers: { Authorization: `Bearer ${key}` } };
  const proxy = toJson({ mcpServers: { [name]: proxyCommand(url, target) } });
  const ofCursor = { url, ...headers(`\${env:${KEY_VARIABLE}}`) };
  const ofCode = { type: "http", url, ...headers(`\${input:${KEY_INPUT}}`) };
  const ofWindsurf = { serverUrl: url, ...headers(`\${env:${KEY_VARIABLE}}`) };
  const inputs = needsKey && {
    inputs: [{ type: "promptString", id: KEY_INPUT, description: "Key for Treeline", password: true }],
  };
  return [
    {
      id: "claude-code",
      client: "Claude Code",
      step: "In a terminal:",
      language: "sh",
      snippet: `claude mcp add --transport http ${name} ${url}${header}`,
    },
    {
      id: "claude-desktop",
      client: "Claude Desktop",
      step: needsKey
        ? "In `claude_desktop_config.json` (Settings, Developer, Edit Config), with your key in place of the dots:"
        : "Settings, Connectors, Add custom connector, with the address of the server; or in `claude_desktop_config.json` (Settings, Developer, Edit Config):",
      language: "json",
      snippet: proxy,
    },
    {
      id: "cursor",
      client: "Cursor",
      step: "In `~/.cursor/mcp.json`, or `.cursor/mcp.json` of a project:",
      language: "json",
      snippet: toJson({ mcpServers: { [name]: ofCursor } }),
      link: `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encodeURIComponent(btoa(JSON.stringify(ofCursor)))}`,
    },
    {
      id: "vs-code",
      client: "VS Code",
      step: "In `.vscode/mcp.json` of a project:",
      language: "json",
      snippet: toJson({ ...inputs, servers: { [name]: ofCode } }),
      link: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...ofCode, ...inputs }))}`,
    },
    {
      id: "codex",
      client: "Codex",
      step: "In `~/.codex/config.toml`:",
      language: "toml",
      snippet: `[mcp_servers.${name}]\nurl = "${url}"${needsKey ? `\nbearer_token_env_var = "${KEY_VARIABLE}"` : ""}`,
    },
    {
      id: "gemini-cli",
      client: "Gemini CLI",
      step: "In a terminal:",
      language: "sh",
      snippet: `gemini mcp add --transport http${header} ${name} ${url}`,
    },
    {
      id: "windsurf",
      client: "Windsurf",
      step: "In `~/.codeium/windsurf/mcp_config.json`:",
      language: "json",
      snippet: toJson({ mcpServers: { [name]: ofWindsurf } }),
    },
    {
      id: "chatgpt",
      client: "ChatGPT",
      step: needsKey
        ? "ChatGPT sends no keys, so it reaches this server only where an authorization server stands before it. The address is:"
        : "Settings, Connectors, Create (in developer mode), without authentication, with this address:",
      language: "text",
      snippet: `${url}?tools=openai`,
    },
    {
      id: "inspector",
      client: "MCP inspector",
      step: "In a terminal, to see what clients see:",
      language: "sh",
      snippet: `npx -y @modelcontextprotocol/inspector --cli ${url} --transport http --method tools/list${header}`,
    },
    {
      id: "mcp-remote",
      client: "Any client that starts programs",
      step: "`mcp-remote` passes on what such a client says:",
      language: "json",
      snippet: proxy,
    },
    ...listProgramGuides(),
  ];
}

/** Guides without a server: the client starts a program that indexes a folder, watches it and answers. */
function listProgramGuides(): readonly ClientGuide[] {
  const program = (folder: string) => ({ command: "npx", args: ["-y", NAME, "mcp", folder] });
  const ofEditor = { [NAME]: { type: "stdio", ...program(`\${workspaceFolder}`) } };
  const command = `npx -y ${NAME} mcp .`;
  const inTerminal = "In a terminal, in the folder:";
  return [
    {
      id: "stdio-claude-code",
      client: "Claude Code, a folder",
      step: inTerminal,
      language: "sh",
      snippet: `claude mcp add ${NAME} -- ${command}`,
    },
    {
      id: "stdio-cursor",
      client: "Cursor, a folder",
      step: "In `.cursor/mcp.json` of the folder:",
      language: "json",
      snippet: toJson({ mcpServers: ofEditor }),
    },
    {
      id: "stdio-vs-code",
      client: "VS Code, a folder",
      step: "In `.vscode/mcp.json` of the folder:",
      language: "json",
      snippet: toJson({ servers: ofEditor }),
    },
    {
      id: "stdio-codex",
      client: "Codex, a folder",
      step: "In a terminal; it serves each folder that Codex is started in:",
      language: "sh",
      snippet: `codex mcp add ${NAME} -- ${command}`,
    },
    {
      id: "stdio-gemini-cli",
      client: "Gemini CLI, a folder",
      step: inTerminal,
      language: "sh",
      snippet: `gemini mcp add ${NAME} npx -- -y ${NAME} mcp .`,
    },
    {
      id: "stdio",
      client: "Any client, a folder",
      step: "Most clients that start programs take:",
      language: "json",
      snippet: toJson({ mcpServers: { [NAME]: program("/path/to/folder") } }),
    },
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

/** Name under which clients list a server: one for each corpus, of letters that all clients take. */
function nameOf({ corpus = "" }: ConnectTarget): string {
  return corpus === "" ? NAME : `${NAME}-${corpus.replaceAll(".", "-")}`;
}

/** A guide's snippet on one line, for terminals and tables; a snippet that has no such form as it is. */
export function oneLineSnippet({ language, snippet }: ClientGuide): string {
  return language === "json" ? JSON.stringify(JSON.parse(snippet)) : snippet;
}

/** What a caller needs, in a sentence. */
export function describeAccess({ origin, needsKey }: ConnectTarget): string {
  const address = `The server speaks MCP over HTTP at ${origin}/mcp`;
  return needsKey
    ? `${address} and asks for a key: set the environment variable ${KEY_VARIABLE} to yours.`
    : `${address}; no key is needed.`;
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

function toJson(value: object): string {
  return JSON.stringify(value, undefined, 2);
}
