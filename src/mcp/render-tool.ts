/**
 * What a tool answers where it is no call that asks: resources and the pair `search` and `fetch` show the same answers.
 */
import type { IndexReader } from "../core/index/index-reader.ts";
import { type Format, type RenderedAnswer, renderAnswer } from "../surface/render/render.ts";
import type { ToolServices } from "./call.ts";
import { signCursor } from "./cursor.ts";
import type { Tool } from "./tool.ts";

/**
 * The rendered answer, with as many tokens as the tool may have.
 *
 * @param values Arguments by declared name, defaults filled in.
 * @throws {InputError} as the tool does.
 */
export async function renderTool(
  tool: Tool,
  values: Readonly<Record<string, unknown>>,
  format: Format,
  reader: IndexReader,
  { now, signingKeys, corpus = "" }: ToolServices,
): Promise<RenderedAnswer> {
  const maxTokens = tool.highestMaxTokens(values);
  const { generation } = reader;
  const collections = reader.collections.map(({ name }) => name);
  const refresh = async (): Promise<IndexReader> => reader;
  const context = { reader, refresh, offset: 0, format, maxTokens, now, corpus, shownBefore: new Map() };
  const answer = await tool.run(values, context);
  return renderAnswer(answer, {
    format,
    maxTokens,
    highestMaxTokens: maxTokens,
    origin: generation,
    now,
    signCursor: async (offset) =>
      signCursor(
        await signingKeys("cursor"),
        { tool: tool.name, values, generation: generation.id, collections },
        offset,
      ),
  });
}
