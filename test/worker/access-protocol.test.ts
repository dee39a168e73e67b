/**
 * What the protocol shows beside tools (lists, completion, resources, prompts), the pair for ChatGPT, and sessions of others:
 * asked with every credential, nobody gets a word of a collection that they may not see.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { GROUPED, type GroupedCollection } from "../support/grouped-files.ts";
import { KEYS } from "./access-files.ts";
import { askAs, callAs, type Settings } from "./ask-as.ts";
import { bearer, type Credential, GOOD, groupsSeen, NONE, PRIVATE, PUBLIC, prepareCredentials } from "./credentials.ts";
import { textsIn, withoutEcho } from "./without-echo.ts";

type Json = Readonly<Record<string, unknown>>;

interface Reply {
  readonly text: string;
  readonly result: Json | undefined;
  readonly error: { readonly code: number; readonly message: string } | undefined;
}

const PARAMS_ARE_WRONG = -32_602;
/** Stands in examples of calls, whatever the index has. */
const EXAMPLE_ID = "docs:index.md";

async function ask(
  settings: Settings,
  credential: Credential,
  method: string,
  params: object,
  path = "/mcp",
): Promise<Reply> {
  const response = await askAs(settings, path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "MCP-Protocol-Version": "2025-06-18", ...credential.headers() },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  expect(response.status).toBe(200);
  const text = await response.text();
  const { result, error } = JSON.parse(text) as Reply;
  return { text, result, error };
}

/** Ids and names of a folder, as callers would write them. */
function namesOf({ name, word }: GroupedCollection) {
  const low = word.toLowerCase();
  return {
    low,
    category: `${word} Operations`,
    page: `${name}:guide/${low}-setup.md`,
    file: `${name}-code:src/${low}.ts`,
    collections: [name, `${name}-code`],
  };
}

/** What can be completed: a prompt's argument or a template's id, typed so far, and what whoever may see the folder is given. */
function completionsOf(folder: GroupedCollection) {
  const { low, category, page, file, collections } = namesOf(folder);
  const prompt = (name: string, argument: string, value: string, given: string) => ({
    ref: { type: "ref/prompt", name },
    argument: { name: argument, value },
    given,
  });
  const template = (uri: string, value: string, given: string) => ({
    ref: { type: "ref/resource", uri },
    argument: { name: "id", value },
    given,
  });
  return [
    ...["", folder.name, folder.name.slice(0, 2)].map((value) =>
      prompt("explore_docs", "collection", value, collections[0] ?? ""),
    ),
    ...["", category, low.slice(0, 3)].map((value) => prompt("explore_docs", "category", value, category)),
    ...["run", `run${folder.word}`, "r"].map((value) => prompt("explain_symbol", "symbol", value, `run${folder.word}`)),
    prompt("review_change_impact", "target", "run", `run${folder.word}`),
    ...["", file, "src/"].map((value) => prompt("explain_symbol", "file", value, file)),
    ...["", folder.name, page].map((value) => template("treeline://documents/{id}", value, page)),
    template("treeline://sections/{id}", `${page}#`, `${page}#install`),
    template("treeline://sections/{id}", "", page),
  ];
}

describe.each([
  ["a public deployment", PUBLIC, [NONE, ...GOOD]],
  ["a private deployment", PRIVATE, GOOD],
] as const)("%s", (_, settings, credentials) => {
  beforeAll(prepareCredentials);
  afterAll(() => vi.unstubAllGlobals());

  const isSeen = (credential: Credential, { access }: GroupedCollection): boolean =>
    groupsSeen(settings, credential).includes(access);
  const hiddenFrom = (credential: Credential) => GROUPED.filter((folder) => !isSeen(credential, folder));

  /** No word, and no collection's name, of what is hidden; beside what was asked. */
  function expectNothingHidden(credential: Credential, text: string, asked: readonly string[]): void {
    const ids = asked.map((one) => one.replace(/^treeline:\/\/\w+\//, ""));
    const rest = withoutEcho(text, [...asked, ...ids, EXAMPLE_ID]);
    for (const { name, word } of hiddenFrom(credential)) {
      expect(rest, `${asked.join(" ")}: ${text}`).not.toContain(word.toLowerCase());
      expect(rest, `${asked.join(" ")}: ${text}`).not.toContain(`${name}:`);
    }
  }

  it.each(credentials)("completes to a caller with $name what they may see, and nothing else", async (credential) => {
    for (const folder of GROUPED) {
      for (const { ref, argument, given } of completionsOf(folder)) {
        const { result } = await ask(settings, credential, "completion/complete", { ref, argument });
        const { values, total } = (result as { completion: { values: string[]; total: number } }).completion;
        const about = `${JSON.stringify(ref)} ${JSON.stringify(argument)}`;
        expect(values.includes(given), `${about}: ${values.join()}`).toBe(isSeen(credential, folder));
        // No number tells of more than is shown.
        expect(total).toBe(values.length);
        for (const hidden of hiddenFrom(credential)) {
          for (const value of values) {
            expect(value.toLowerCase(), about).not.toContain(hidden.word.toLowerCase());
            expect(value.split(":")[0], about).not.toMatch(new RegExp(`^${hidden.name}(-code)?$`));
          }
        }
      }
    }
  });

  it.each(credentials.slice(0, 1))("completes to a caller with $name no argument beyond these", async (credential) => {
    const { result } = await ask(settings, credential, "prompts/list", {});
    const { prompts } = result as { prompts: { name: string; arguments: { name: string }[] }[] };
    const asked = new Set(
      completionsOf(GROUPED[0] as GroupedCollection).map(
        ({ ref, argument }) => `${"name" in ref ? ref.name : ""} ${argument.name}`,
      ),
    );
    for (const { name, arguments: list } of prompts) {
      for (const argument of list) {
        for (const value of ["", "p", "run", "@acme", ...GROUPED.map(({ word }) => word.slice(0, 3))]) {
          const ref = { type: "ref/prompt", name };
          const found = await ask(settings, credential, "completion/complete", {
            ref,
            argument: { name: argument.name, value },
          });
          expectNothingHidden(credential, found.text, [value]);
          // What the test above does not ask has no values at all.
          if (!asked.has(`${name} ${argument.name}`))
            expect(found.result).toMatchObject({ completion: { values: [] } });
        }
      }
    }
  });

  it.each(credentials)("lists to a caller with $name the pages that they may see", async (credential) => {
    const uris: string[] = [];
    let cursor: string | undefined;
    do {
      const { text, result } = await ask(
        settings,
        credential,
        "resources/list",
        cursor === undefined ? {} : { cursor },
      );
      const page = result as { resources: { uri: string }[]; nextCursor?: string };
      uris.push(...page.resources.map(({ uri }) => uri));
      expectNothingHidden(credential, text, []);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    for (const folder of GROUPED) {
      const { page, file } = namesOf(folder);
      for (const id of [page, file]) {
        expect(uris.includes(`treeline://documents/${id}`)).toBe(isSeen(credential, folder));
      }
    }
    for (const method of ["tools/list", "prompts/list", "resources/templates/list"]) {
      const { text } = await ask(settings, credential, method, {});
      for (const { word } of GROUPED) expect(text.toLowerCase()).not.toContain(word.toLowerCase());
    }
  });

  it.each(credentials)("reads to a caller with $name what they may see, and knows nothing else", async (credential) => {
    for (const folder of GROUPED) {
      const { low, page, file } = namesOf(folder);
      const there = [
        `treeline://documents/${page}`,
        `treeline://documents/${encodeURIComponent(page)}`,
        `treeline://documents/${file}`,
        `treeline://sections/${page}#install`,
        `treeline://sections/${encodeURIComponent(`${page}#install`)}`,
        `treeline://sections/${file}#run${folder.word}`,
      ];
      for (const uri of there) {
        const { text, result, error } = await ask(settings, credential, "resources/read", { uri });
        expectNothingHidden(credential, text, [uri, decodeURIComponent(uri)]);
        if (isSeen(credential, folder)) expect(result).toMatchObject({ contents: [{ uri }] });
        else expect(error?.code, uri).toBe(PARAMS_ARE_WRONG);
      }
      const wrong = [`documents/${page.slice(0, -4)}.md`, `documents/guide/${low}-setup.md`, `sections/${page}#instal`];
      for (const uri of [...wrong.map((one) => `treeline://${one}`), "treeline://status", "treeline://llms.txt"]) {
        const { text } = await ask(settings, credential, "resources/read", { uri });
        expectNothingHidden(credential, text, [uri]);
      }
      const map = await ask(settings, credential, "resources/read", { uri: "treeline://llms.txt" });
      expect(map.text.includes(page), map.text).toBe(isSeen(credential, folder));
    }
  });

  it.each(credentials)("fills prompts in for a caller with $name as for everybody", async (credential) => {
    for (const folder of GROUPED) {
      const { category, file } = namesOf(folder);
      for (const [name, given] of [
        ["explore_docs", { question: "how", collection: folder.name, category }],
        ["explain_symbol", { symbol: `run${folder.word}`, file }],
        ["review_change_impact", { target: `run${folder.word}`, change: "faster" }],
      ] as const) {
        const mine = await ask(settings, credential, "prompts/get", { name, arguments: given });
        const all = await ask(settings, GOOD[4] as Credential, "prompts/get", { name, arguments: given });
        expect(mine.result).toBeDefined();
        expect(mine.text).toBe(all.text);
      }
    }
  });

  it.each(credentials)("gives ChatGPT with $name what its caller may see", async (credential) => {
    const call = (name: string, args: object) =>
      ask(settings, credential, "tools/call", { name, arguments: args }, "/mcp?tools=openai");
    for (const folder of GROUPED) {
      const { low, page, file } = namesOf(folder);
      const seen = isSeen(credential, folder);
      for (const query of [`install ${low}`, low.slice(0, -1), "common section", `"secret handshake" cache`]) {
        const { text } = await call("search", { query });
        expectNothingHidden(credential, text, [query]);
      }
      const found = await call("search", { query: `install ${low} handshake` });
      expect(withoutEcho(found.text, []).includes(page)).toBe(seen);
      for (const id of [page, file, `${page}#install`, `${file}#run${folder.word}`, `guide/${low}-setup.md`]) {
        const { text, result } = await call("fetch", { id });
        expectNothingHidden(credential, text, [id]);
        if (id.includes(":")) expect(result?.["isError"] === true, text).toBe(!seen);
      }
    }
  });

  it.each(credentials)("knows no session of others to a caller with $name", async (credential) => {
    const groupsOf = (one: Credential): string => groupsSeen(settings, one).join();
    const owners = new Map(credentials.map((one) => [groupsOf(one), one]));
    owners.delete(groupsOf(credential));
    for (const owner of owners.values()) {
      const opened = await askAs(settings, "/session", { method: "POST", headers: owner.headers(), body: "{}" });
      expect(opened.status).toBe(201);
      const { session } = (await opened.json()) as { session: string };
      // What its owner read stands in its memory.
      for (const { low } of GROUPED.map(namesOf)) {
        await callAs(settings, "search_documents", { query: `install ${low}`, session }, owner.headers());
      }
      const stateOf = async (): Promise<Json> => {
        const state = await callAs(settings, "session_state", { session, format: "json" }, owner.headers());
        return ((await state.json()) as { result: { structuredContent: Json } }).result.structuredContent;
      };
      const before = await stateOf();
      const calls: readonly (readonly [string, Json, string])[] = [
        ["session_state", { session }, "/mcp"],
        ["session_state", {}, `/mcp?session=${session}`],
        ["search_documents", { query: "install" }, `/s/${session}/mcp`],
        ["search_documents", { query: "install", session }, "/mcp"],
        ["get_tree", { session }, "/mcp"],
      ];
      for (const [tool, args, path] of calls) {
        const { text, result } = await ask(settings, credential, "tools/call", { name: tool, arguments: args }, path);
        expect(result?.["isError"], `${tool} ${path}: ${text}`).toBe(true);
        expectNothingHidden(credential, text, textsIn(args));
        expect(text).not.toContain(session);
      }
      const after = await stateOf();
      expect(after["calls"]).toBe(Number(before["calls"]) + 1);
    }
  });
});

describe("a private deployment to nobody", () => {
  beforeAll(prepareCredentials);
  afterAll(() => vi.unstubAllGlobals());

  it.each([
    [
      "completion/complete",
      { ref: { type: "ref/prompt", name: "explore_docs" }, argument: { name: "collection", value: "" } },
    ],
    ["resources/list", {}],
    ["resources/read", { uri: "treeline://llms.txt" }],
    ["resources/templates/list", {}],
    ["prompts/get", { name: "explore_docs", arguments: { question: "how" } }],
    ["tools/list", {}],
    ["initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "a", version: "1" } }],
  ])("answers %s with 401", async (method, params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    for (const path of ["/mcp", "/mcp?tools=openai", "/sse", "/s/anything/mcp"]) {
      for (const headers of [{}, bearer(KEYS.revoked)]) {
        const response = await askAs(PRIVATE, path, {
          method: "POST",
          headers: { "Content-Type": "application/json", ...headers },
          body,
        });
        expect(response.status, path).toBe(401);
        for (const { word } of GROUPED)
          expect((await response.clone().text()).toLowerCase()).not.toContain(word.toLowerCase());
      }
    }
  });
});
