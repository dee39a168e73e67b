import { ProtocolError } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { completeArgument } from "../../src/mcp/prompts.ts";
import { services as handbook } from "./tools/handbook.ts";
import { services as workshop } from "./tools/workshop.ts";

const NOTHING = { completion: { values: [], total: 0, hasMore: false } };

function ofPrompt(name: string, argument: string, value: string) {
  return { ref: { type: "ref/prompt" as const, name }, argument: { name: argument, value } };
}

function ofTemplate(kind: "documents" | "sections", value: string) {
  return {
    ref: { type: "ref/resource" as const, uri: `treeline://${kind}/{id}` },
    argument: { name: "id", value },
  };
}

async function valuesOf(asked: Parameters<typeof completeArgument>[0], services = workshop): Promise<string[]> {
  return (await completeArgument(asked, services)).completion.values;
}

describe("completion", () => {
  it("gives names of symbols, members behind their container", async () => {
    const { completion } = await completeArgument(ofPrompt("explain_symbol", "symbol", "Store."), workshop);
    expect(completion.values).toContain("Store.find");
    expect(new Set(completion.values).size).toBe(completion.values.length);
    expect(completion).toMatchObject({ hasMore: false });
    expect(await valuesOf(ofPrompt("review_change_impact", "target", "formatL"))).toEqual(["formatLamp"]);
  });

  it("gives collections, categories and source files for the arguments that take them", async () => {
    expect(await valuesOf(ofPrompt("explore_docs", "collection", "c"))).toEqual(["code", "docs"]);
    expect(await valuesOf(ofPrompt("explore_docs", "category", ""), handbook)).not.toEqual([]);
    expect(await valuesOf(ofPrompt("explain_symbol", "file", "src/store/l"))).toEqual(["code:src/store/lamp.ts"]);
    expect(await valuesOf(ofPrompt("explain_symbol", "file", "index.md"))).toEqual([]);
  });

  it("gives ids of documents by their beginnings, their paths' beginnings and what they hold, in this order", async () => {
    expect(await valuesOf(ofTemplate("documents", "docs:guide/"), handbook)).toEqual([
      "docs:guide/configure.md",
      "docs:guide/install.md",
    ]);
    expect(await valuesOf(ofTemplate("documents", "guide/ins"), handbook)).toEqual(["docs:guide/install.md"]);
    expect(await valuesOf(ofTemplate("documents", "INSTALL"), handbook)).toContain("docs:guide/install.md");
    const all = await completeArgument(ofTemplate("documents", ""), handbook);
    expect(all.completion).toMatchObject({ total: 24, hasMore: false });
  });

  it("gives ids of documents for a section until its document is typed, then sections in the order of the page", async () => {
    expect(await valuesOf(ofTemplate("sections", "docs:guide/ins"), handbook)).toEqual(["docs:guide/install.md"]);
    const sections = await valuesOf(ofTemplate("sections", "docs:guide/install.md#"), handbook);
    expect(sections.slice(0, 2)).toEqual(["docs:guide/install.md#linux", "docs:guide/install.md#linux/behind-a-proxy"]);
    expect(await valuesOf(ofTemplate("sections", "docs:guide/install.md#m"), handbook)).toContain(
      "docs:guide/install.md#mac",
    );
    expect(await valuesOf(ofTemplate("sections", "docs:nowhere.md#m"), handbook)).toEqual([]);
  });

  it("gives nothing for arguments without values, for no symbol typed, and where no code is indexed", async () => {
    expect(await completeArgument(ofPrompt("explore_docs", "question", "a"), workshop)).toEqual(NOTHING);
    expect(await completeArgument(ofPrompt("explain_symbol", "symbol", " "), workshop)).toEqual(NOTHING);
    expect(await completeArgument(ofPrompt("explain_symbol", "symbol", "zzzz"), workshop)).toEqual(NOTHING);
    expect(await completeArgument(ofPrompt("explain_symbol", "symbol", "a"), handbook)).toEqual(NOTHING);
    expect(await completeArgument(ofPrompt("explain_symbol", "file", "a"), handbook)).toEqual(NOTHING);
    const otherArgument = { ...ofTemplate("documents", "a"), argument: { name: "path", value: "a" } };
    expect(await completeArgument(otherArgument, handbook)).toEqual(NOTHING);
  });

  it("refuses prompts and templates that there are not", async () => {
    await expect(completeArgument(ofPrompt("explain_symbl", "symbol", "a"), workshop)).rejects.toThrow(
      "Did you mean explain_symbol?",
    );
    const template = { ref: { type: "ref/resource" as const, uri: "test://{x}" }, argument: { name: "x", value: "" } };
    await expect(completeArgument(template, workshop)).rejects.toThrow(ProtocolError);
  });

  it("gives nothing, and tells the operator, when the index cannot be read", async () => {
    const told: string[] = [];
    const broken = {
      ...workshop,
      withReader: () => Promise.reject(new Error("no bucket")),
      report: (_: unknown, where: string) => void told.push(where),
    };
    expect(await valuesOf(ofPrompt("explain_symbol", "symbol", "a"), broken)).toEqual([]);
    expect(told).toEqual(["completion/complete"]);
  });
});
