import { describe, expect, it } from "vitest";
import { ask, askJson } from "./handbook.ts";

const INSTALL = "docs:guide/install.md";
const DRAFT = "Use the package manager to install the server. Refresh the list first: apt update, apt install lantern.";

describe("find_similar", () => {
  it("names the section with similarity, lines, URL and the words that are shared", async () => {
    const { text, texts } = await ask("find_similar", { content: `To begin with: ${DRAFT}` });
    expect(texts[0]).toMatch(/^1 of \d+ compared sections overlap with the text \(similarity at least 0\.35\)\.$/);
    expect(texts[1]).toMatch(/^docs:guide\/install\.md#linux @10-19 Install Lantern > Linux, similarity 0\.\d\d\n/);
    expect(text).toContain("  https://example.org/docs/guide/install#linux\n");
    expect(text).toContain("  same words: Use the package manager to install the server.");
  });

  it("gives ids that get_node_content takes, and finds a section by its own text first, with similarity 1", async () => {
    for (const nodeId of [`${INSTALL}#linux`, `${INSTALL}#linux/behind-a-proxy`, `${INSTALL}#linux/as-a-service`]) {
      const read = await askJson("get_node_content", { node_ids: [nodeId] });
      const content = (read.sections as { text: string }[])[0]?.text;
      const { results } = await askJson("find_similar", { content });
      expect((results as unknown[])[0]).toMatchObject({ nodeId, similarity: 1 });
    }
  });

  it("names the nearest section where none reaches the threshold", async () => {
    const content = DRAFT.replace("Refresh the list first", "Something else entirely comes here, then");
    const { texts, json } = await ask("find_similar", { content, threshold: 0.95, format: "json" });
    expect(json).toMatchObject({ total: 0, threshold: 0.95, results: [] });
    expect(texts.join("\n")).toContain(`Nearest: ${INSTALL}#linux, similarity 0.`);
  });

  it("finds nothing for a text about something else, and says so", async () => {
    const { text, isError } = await ask("find_similar", {
      content: "Marsupials dig burrows underground near eucalyptus.",
    });
    expect(isError).toBe(false);
    expect(text).toContain("0 of 0 compared sections overlap with the text");
  });

  it("takes a text of 20,000 characters, and no longer one", async () => {
    const long = `${DRAFT} `.repeat(200);
    expect((await ask("find_similar", { content: long.slice(0, 20_000) })).isError).toBe(false);
    const { isError, text } = await ask("find_similar", { content: long.slice(0, 20_001) });
    expect(isError).toBe(true);
    expect(text).toContain("content has 20001 characters; at most 20000 are taken.");
  });

  it("refuses a text of too few words and a collection that is not there, in words", async () => {
    const short = await ask("find_similar", { content: "the lamp" });
    expect(short.isError).toBe(true);
    expect(short.text).toContain("content has 1 different word beside the most common ones; at least 4 are needed.");
    expect(short.text).toContain("Example: find_similar(");
    const { isError, text } = await ask("find_similar", { content: DRAFT, collection: "doc" });
    expect(isError).toBe(true);
    expect(text).toContain("Did you mean: docs");
  });
});
