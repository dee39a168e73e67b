/** What README and docs tell people to give to their clients is what servers say: one place makes it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listClientGuides } from "../../src/surface/render/connect.ts";
import { projectRoot } from "../support/environment.ts";

const CONNECTING = "docs/connecting.md";
const ORIGIN = "https://docs.example.com";
/** Pages that must show clients how to connect, and how many snippets they have at least. */
const SHOWING: readonly (readonly [page: string, snippets: number])[] = [
  ["README.md", 1],
  ["docs/getting-started.md", 4],
  ["docs/access.md", 1],
  [CONNECTING, 12],
];

const pages = ["README.md", ...readdirSync(join(projectRoot, "docs")).map((name) => `docs/${name}`)]
  .filter((path) => path.endsWith(".md"))
  .map((path) => ({ path, text: readFileSync(join(projectRoot, path), "utf8") }));

/** Code of a page: lines of blocks of shell commands, other blocks whole, and code between backticks. */
function codeOf(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```(\w*)\n([\s\S]*?)\n```$/gm)];
  const inline = text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/`([^`\n]+)`/g);
  return [
    ...blocks.flatMap(([, language, code = ""]) => (language === "sh" ? code.split("\n") : [code])),
    ...[...inline].map(([, code = ""]) => code),
  ];
}

/** Whether a piece of code is for a client: its commands, or what it has in its file. */
function isForClient(code: string): boolean {
  return /^(?:claude|codex|gemini) mcp add|^npx .*(?:inspector|mcp-remote)|^\{[\s\S]*"(?:mcpS|s)ervers"\s*:|^\[mcp_servers/.test(
    code,
  );
}

/** What servers say, for the address that a piece of code has in it. */
function saidFor(code: string): readonly unknown[] {
  const [, origin = ORIGIN, corpus] = /(https?:\/\/[^\s/"]+(?:\/([a-z0-9._-]+)(?=\/mcp))?)/.exec(code) ?? [];
  return [true, false].flatMap((needsKey) =>
    listClientGuides({ origin, needsKey, ...(corpus !== undefined && { corpus }) }).map(({ language, snippet }) =>
      language === "json" ? JSON.parse(snippet) : snippet,
    ),
  );
}

const parsed = (code: string): unknown => (code.startsWith("{") ? JSON.parse(code) : code);

describe("pages that show how clients are connected", () => {
  it.each(pages)("show nothing else than what servers say: $path", ({ path, text }) => {
    const snippets = codeOf(text).filter(isForClient);
    for (const code of snippets) expect(saidFor(code)).toContainEqual(parsed(code));
    expect(snippets.length).toBeGreaterThanOrEqual(SHOWING.find(([page]) => page === path)?.[1] ?? 0);
  });

  it("are there", () => {
    for (const [page] of SHOWING) expect(pages.map(({ path }) => path)).toContain(page);
  });
});

describe("docs/connecting.md", () => {
  const page = pages.find(({ path }) => path === CONNECTING)?.text ?? "";

  it("has a heading for each client that has a guide of its own", () => {
    for (const { id, client } of listClientGuides({ origin: ORIGIN, needsKey: false })) {
      if (id !== "mcp-remote" && !id.startsWith("stdio")) expect(page).toContain(`\n## ${client}\n`);
    }
  });

  it("shows every guide with a key, and commands without one too", () => {
    const shown = codeOf(page)
      .filter((code) => isForClient(code) || code.startsWith(ORIGIN))
      .map(parsed);
    for (const needsKey of [true, false]) {
      for (const { language, snippet } of listClientGuides({ origin: ORIGIN, needsKey })) {
        if (needsKey || language === "sh") expect(shown).toContainEqual(parsed(snippet));
      }
    }
  });
});
