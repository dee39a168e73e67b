import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { type ClientGuide, formatClientGuides, listClientGuides } from "../../../src/surface/render/connect.ts";

const OPEN = { origin: "https://docs.example.com", needsKey: false };
const CLOSED = { ...OPEN, needsKey: true };
const URL_OF_SERVER = "https://docs.example.com/mcp";

function guideOf(id: string, target = OPEN): ClientGuide {
  const guide = listClientGuides(target).find((one) => one.id === id);
  if (guide === undefined) throw new Error(`no guide ${id}`);
  return guide;
}

describe("listClientGuides", () => {
  it("names the server in each but the one that needs none, and has JSON that parses", () => {
    for (const target of [OPEN, CLOSED]) {
      for (const { id, language, snippet } of listClientGuides(target)) {
        if (!id.startsWith("stdio")) expect(snippet).toContain(URL_OF_SERVER);
        if (language === "json") expect(parse(snippet)).toEqual(JSON.parse(snippet));
      }
    }
  });

  it("gives each corpus a name of its own in letters that every client takes, so that one client has several", () => {
    const corpus = { origin: `${OPEN.origin}/v2.0`, corpus: "v2.0", needsKey: false };
    for (const { id, snippet, link = "" } of listClientGuides(corpus)) {
      if (id.startsWith("stdio")) continue;
      expect(snippet).toContain(`${OPEN.origin}/v2.0/mcp`);
      const named = snippet + decodeURIComponent(link);
      if (!["chatgpt", "inspector"].includes(id)) expect(named).toMatch(/treeline-v2-0(?![.\w])/);
    }
    expect(guideOf("claude-code", corpus).snippet).toBe(
      `claude mcp add --transport http treeline-v2-0 ${OPEN.origin}/v2.0/mcp`,
    );
  });

  it("asks for a key where one is needed, and nowhere else", () => {
    const asks = /Authorization|TREELINE_KEY|bearer/i;
    for (const { snippet, link = "" } of listClientGuides(OPEN))
      expect(snippet + decodeURIComponent(link)).not.toMatch(asks);
    const asking = listClientGuides(CLOSED).filter(({ snippet }) => asks.test(snippet));
    expect(asking.map(({ id }) => id)).toEqual([
      "claude-code",
      "claude-desktop",
      "cursor",
      "vs-code",
      "codex",
      "gemini-cli",
      "windsurf",
      "inspector",
      "mcp-remote",
    ]);
    expect(guideOf("chatgpt", CLOSED).step).toContain("sends no keys");
  });

  it("starts the same program in each client for a folder, and asks for no server", () => {
    const guides = listClientGuides(CLOSED).filter(({ id }) => id.startsWith("stdio"));
    expect(guides).toHaveLength(6);
    for (const { snippet } of guides) {
      expect(snippet).not.toContain("http");
      expect(snippet.replaceAll(/[[\]"\s,]+/g, " ")).toMatch(
        /npx (?:-- |args : )?-y treeline mcp (?:\.|\$\{workspaceFolder\}|\/path\/to\/folder)/,
      );
    }
  });

  it("opens Cursor with what its file would hold", () => {
    for (const target of [OPEN, CLOSED]) {
      const { link = "", snippet } = guideOf("cursor", target);
      const query = new URL(link).searchParams;
      expect(link).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?/);
      expect({ mcpServers: { [query.get("name") ?? ""]: JSON.parse(atob(query.get("config") ?? "")) } }).toEqual(
        JSON.parse(snippet),
      );
    }
  });

  it("opens VS Code with what its file would hold", () => {
    const { link = "", snippet } = guideOf("vs-code", CLOSED);
    const { name, inputs, ...server } = JSON.parse(decodeURIComponent(link.replace("vscode:mcp/install?", "")));
    expect({ inputs, servers: { [name]: server } }).toEqual(JSON.parse(snippet));
  });

  it("lets mcp-remote speak plain HTTP only where that is no other machine, or the user says so", () => {
    const argumentsAt = (origin: string) =>
      JSON.parse(guideOf("mcp-remote", { ...OPEN, origin }).snippet).mcpServers.treeline.args;
    expect(argumentsAt("http://127.0.0.1:8787")).not.toContain("--allow-http");
    expect(argumentsAt("http://docs.lan:8787")).toContain("--allow-http");
  });
});

describe("formatClientGuides", () => {
  it("has a heading and a block of code for each client", () => {
    const text = formatClientGuides(OPEN);
    const clients = listClientGuides(OPEN);
    expect(text.match(/^## .+$/gm)).toEqual(clients.map(({ client }) => `## ${client}`));
    expect(text.match(/^```\w+$/gm)).toHaveLength(clients.length);
    expect(text).toContain("no key is needed");
  });
});
