/**
 * The way of an agent from a question to the text, and from a name to its uses, as every client must be able to go it:
 * with the few tools that all are listed, and with older ones by their names. Over the pages of `test/fixtures/served-docs` and the code of `test/fixtures/workshop`.
 */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectRoot } from "./environment.ts";

/** Calls a tool through a client and gives the texts of its answer. */
export type CallText = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<string>;

const CONFIG = {
  collections: [
    { name: "docs", root: "docs" },
    { name: "code", root: ".", include: ["src/**"], kind: "code" },
  ],
};

/** Put pages and code into a folder. */
export async function writeJourneyCorpus(dir: string): Promise<void> {
  const fixtures = join(projectRoot, "test", "fixtures");
  await mkdir(dir, { recursive: true });
  await cp(join(fixtures, "served-docs"), join(dir, "docs"), { recursive: true });
  await cp(join(fixtures, "workshop", "src"), join(dir, "src"), { recursive: true });
  await cp(join(fixtures, "workshop", "package.json"), join(dir, "package.json"));
  await writeFile(join(dir, "treeline.config.json"), JSON.stringify(CONFIG));
}

/** Add a collection to the configuration of such a folder. */
export async function addCollection(dir: string, collection: object): Promise<void> {
  const changed = { ...CONFIG, collections: [...CONFIG.collections, collection] };
  await writeFile(join(dir, "treeline.config.json"), JSON.stringify(changed));
}

/** The steps, in order: what one shows is what the next asks for. */
export const JOURNEY: readonly {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly shows: string;
}[] = [
  { tool: "map", args: {}, shows: "guide" },
  { tool: "search", args: { queries: ["install linux apt"] }, shows: "guide/install.md" },
  { tool: "grep", args: { patterns: ["formatLamp"], word: true }, shows: "src/util/format.ts" },
  { tool: "read", args: { targets: ["guide/install.md#linux", "formatLamp"] }, shows: "Use `apt`" },
  { tool: "inspect", args: { symbols: ["formatLamp"] }, shows: "Server.showLamp" },
  { tool: "search_documents", args: { query: "install linux apt" }, shows: "docs:guide/install.md" },
  { tool: "get_tree", args: { doc_id: "docs:guide/install.md" }, shows: "#linux" },
  { tool: "get_node_content", args: { node_ids: ["docs:guide/install.md#linux"] }, shows: "Use `apt`" },
  { tool: "find_symbol", args: { query: "formatLamp" }, shows: "src/util/format.ts" },
  { tool: "references", args: { symbol: "formatLamp" }, shows: "Server.showLamp" },
];

/** Goes the whole way with a client. @throws {Error} where a step does not show what the next asks for. */
export async function goJourney(call: CallText): Promise<void> {
  for (const { tool, args, shows } of JOURNEY) {
    const text = await call(tool, args);
    if (!text.includes(shows)) throw new Error(`${tool} does not show ${shows}:\n${text}`);
  }
}

/** Texts of a result of a tool, whatever client gives it. */
export function textsOf(result: Readonly<Record<string, unknown>>): string {
  return (result["content"] as readonly { readonly text?: string }[]).map(({ text = "" }) => text).join("\n");
}
