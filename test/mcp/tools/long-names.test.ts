/** What is asked for is repeated in answers and errors, and must leave room in the smallest of them. */
import { expect, it } from "vitest";
import { FORMATS } from "../../../src/surface/render/render.ts";
import { estimateTokens } from "../../../src/surface/render/text.ts";
import { ask } from "./workshop.ts";

const LEAST_TOKENS = 150;
const LONG = "words about lamps ".repeat(50).slice(0, 800);

it.each([
  ["find_symbol", "query"],
  ["search_nodes", "query"],
  ["completion", "prefix"],
  ["inspect", "symbol"],
  ["references", "symbol"],
  ["call_hierarchy", "symbol"],
])("%s repeats a long %s in part", async (tool, name) => {
  for (const format of FORMATS) {
    const { texts } = await ask(tool, { [name]: LONG, format, max_tokens: 50 });
    if (format === "text") expect(texts.join("\n")).toContain("words about lamps");
    expect(estimateTokens(texts.join("\n"))).toBeLessThanOrEqual(LEAST_TOKENS);
  }
});
