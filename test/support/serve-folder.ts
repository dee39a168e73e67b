/** The tools over an index that is built from files of a test, on the disk. */
import { join } from "node:path";
import { openDiskIndex } from "../../indexer/base/index-source.ts";
import { buildCorpus } from "../../indexer/index/build.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { callTool, type ToolServices } from "../../src/mcp/call.ts";
import { offeredTools } from "../../src/mcp/profiles.ts";
import { createSigningKeys } from "../../src/surface/access/signing-keys.ts";
import type { RenderedAnswer } from "../../src/surface/render/render.ts";
import { type FileContents, makeFolder, writeFiles } from "./temporary-folder.ts";

/** A call of a tool: what came back, and the rounds of reads that it took. */
export interface FolderAnswer {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  readonly waves: number;
}

/** Ways to ask a folder's index. */
export interface ServedFolder {
  readonly dir: string;
  /** Call a tool with an empty cache; JSON where the arguments do not say otherwise. */
  readonly ask: (
    tool: string,
    given?: Readonly<Record<string, unknown>>,
    groups?: readonly string[] | "all",
  ) => Promise<FolderAnswer>;
}

/** Build files and serve them. @param folder Where to; a folder that goes with the test when absent. */
export async function serveFiles(files: FileContents, folder?: string): Promise<ServedFolder> {
  const dir = folder ?? (await makeFolder());
  await writeFiles(join(dir, "docs"), files);
  await buildCorpus({ dir: join(dir, "docs"), outDir: join(dir, "index") });
  return serveFolder(join(dir, "index"));
}

/** Serve an index that was built. */
async function serveFolder(dir: string): Promise<ServedFolder> {
  const ask: ServedFolder["ask"] = async (tool, given = {}, groups = "all") => {
    const { index } = await openDiskIndex(dir);
    const services: ToolServices = {
      withReader: async (run, counters) => ({ value: await run(new IndexReader(index, groups, { counters })) }),
      signingKeys: createSigningKeys("test"),
      now: 0,
      report: (problem) => {
        throw new Error(JSON.stringify(problem));
      },
    };
    const answer = await callTool(offeredTools(), tool, { format: "json", ...given }, services);
    return toAnswer(answer);
  };
  return { dir, ask };
}

function toAnswer({ content, structuredContent, isError, _meta }: RenderedAnswer): FolderAnswer {
  const cost = _meta?.["treeline/cost"] as { readonly waves: number } | undefined;
  return {
    text: content.map(({ text }) => text).join("\n"),
    json: structuredContent ?? {},
    isError: isError === true,
    waves: cost?.waves ?? 0,
  };
}
