/**
 * Tool `open_session`: a memory for the calls that follow.
 */
import { InputError } from "../../core/errors.ts";
import type { JsonObject } from "../../surface/render/answer.ts";
import { readScope } from "../read-session-settings.ts";
import { defineTool } from "../tool.ts";

const MAX_BUDGET = 10_000_000;

/** The tool. */
export const openSessionTool = defineTool({
  name: "open_session",
  description:
    "A handle to pass as session: what was shown is left out, generation and scope stay. Calls change its memory only.",
  parameters: {
    scope: { kind: "object", description: "collections, version, filters" },
    ranking: { kind: "ranking" },
    token_budget: { kind: "integer", maximum: MAX_BUDGET, aliases: ["budget"] },
  },
  opensSession: true,
  isShort: true,
  example: { scope: { collections: ["docs"] }, token_budget: 20_000 },
  async run({ scope, ranking, token_budget }, { reader, openSession }) {
    if (openSession === undefined) throw new InputError("This server keeps no sessions; call without session.");
    const settings = {
      ...(await readScope(reader, scope ?? {})),
      ranking: ranking ?? {},
      tokenBudget: token_budget ?? 0,
    };
    const { handle, expiresAt, urls } = await openSession(settings);
    const { id } = reader.generation;
    const [url] = urls;
    const expires = new Date(expiresAt).toISOString();
    const json: JsonObject = {
      session: handle,
      ...(url !== undefined && { url, urls }),
      generationId: id,
      expiresAt: expires,
    };
    const lines = [
      ...urls.map((address) => `  ${address}`),
      `It stays on generation ${id} and ends a day after its last use.`,
    ];
    return {
      summary: `Pass session: "${handle}" with every call${urls.length > 0 ? ", or use one of these addresses:" : "."}`,
      forms: [{ detail: "the session", blocks: () => [lines.join("\n")], json: () => json, perItem: false }],
    };
  },
});
