import { ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listResources, RESOURCE_TEMPLATES, readResource } from "../../src/mcp/resources.ts";
import { runs } from "../support/runs.ts";
import { DOCUMENTS, services as handbook } from "./tools/handbook.ts";
import { services as workshop } from "./tools/workshop.ts";

const nothing = { ...handbook, withReader: async () => undefined };

async function read(uri: string, services = handbook): Promise<string> {
  const { contents } = await readResource(uri, services);
  expect(contents).toMatchObject([{ uri }]);
  return (contents[0] as { text: string }).text;
}

describe("resources", () => {
  it("are the state of the index, its map and every document, the same list each time", async () => {
    const { resources, nextCursor } = await listResources(undefined, handbook);
    expect(resources.map(({ uri }) => uri).slice(0, 2)).toEqual(["treeline://status", "treeline://llms.txt"]);
    expect(resources).toHaveLength(2 + DOCUMENTS);
    expect(nextCursor).toBeUndefined();
    expect(await listResources(undefined, handbook)).toEqual({ resources });
    for (const { uri } of resources) expect(await read(uri), uri).not.toBe("");
  });

  it("refuse a cursor that they did not give", async () => {
    await expect(listResources("forged", handbook)).rejects.toMatchObject({ code: ProtocolErrorCode.InvalidParams });
  });

  it("give documents and sections as the tools do: fenced, with lines, address and commit", async () => {
    const whole = await read("treeline://documents/docs:guide/install.md");
    expect(whole).toContain(
      "docs:guide/install.md @7-40 Install Lantern\nhttps://example.org/docs/guide/install\n````",
    );
    expect(whole).toMatch(/built .*, no commit$/);
    const section = await read("treeline://sections/docs:guide/install.md#linux/behind-a-proxy");
    expect(section).toContain("Set `HTTP_PROXY` before the install");
    expect(section).not.toContain("Use brew");
    expect(await read("treeline://sections/code:src/util/format.ts%23formatLamp", workshop)).toContain("formatLamp");
  });

  it("understand ids escaped and as they are, with what is an escape inside of the id", async () => {
    const escaped = await read(`treeline://documents/${encodeURIComponent("docs:odd name %231 & more.md")}`);
    expect(await read("treeline://documents/docs:odd name %25231 & more.md")).toBe(escaped);
  });

  it("give the state as JSON and the map as Markdown", async () => {
    expect(JSON.parse(await read("treeline://status"))).toMatchObject({ documents: DOCUMENTS });
    expect(await read("treeline://llms.txt")).toContain("docs:guide/install.md");
  });

  it("that do not exist are errors of the protocol with the nearest addresses", async () => {
    const uri = "treeline://documents/docs:guide/instal.md";
    const error = await readResource(uri, handbook).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ResourceNotFoundError);
    expect(error).toMatchObject({ code: -32602, data: { uri } });
    expect((error as Error).message).toContain("treeline://documents/docs:guide/install.md");
    await expect(readResource("treeline://sections/docs:guide/install.md#linx", handbook)).rejects.toThrow(
      "treeline://sections/docs:guide/install.md%23linux",
    );
    await expect(readResource("treeline://stats", handbook)).rejects.toThrow("treeline://status");
    await expect(readResource("treeline://documents/docs:guide/install.md%23linux", handbook)).rejects.toThrow(
      "treeline://sections/docs:guide/install.md%23linux",
    );
    await expect(readResource("file:///etc/passwd", handbook)).rejects.toThrow(ResourceNotFoundError);
    await expect(readResource("treeline://documents/%E0%A4%A", handbook)).rejects.toThrow(ResourceNotFoundError);
  });

  it("answer any address with a text or an error of the protocol that a client can mend", async () => {
    const parts = fc.constantFrom(
      "treeline://",
      "documents/",
      "sections/",
      "docs:",
      "guide/",
      "install.md",
      "#",
      "linux",
    );
    const noise = fc.oneof(fc.constantFrom("%", "%23", "%2", "..", "\u202e", "\ud800", "?", "{id}"), fc.string());
    const address = fc.array(fc.oneof({ weight: 3, arbitrary: parts }, noise), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(address, async (pieces) => {
        const uri = pieces.join("");
        const outcome = await readResource(uri, handbook).catch((thrown: unknown) => thrown);
        expect(
          outcome instanceof ResourceNotFoundError || (outcome as { contents: unknown[] }).contents.length === 1,
        ).toBe(true);
      }),
      { numRuns: runs(600) },
    );
  });

  it("repeat no unseen character of an address that there is not", async () => {
    for (const uri of ["treeline://\u202enothing", "treeline://sections/\u202e\u0007nothing"]) {
      const thrown: unknown = await readResource(uri, handbook).catch((error: unknown) => error);
      expect(JSON.stringify((thrown as ResourceNotFoundError).data)).not.toMatch(/\u202e|\\u0007/);
      for (const unseen of ["\u202e", "\u0007"]) expect((thrown as Error).message).not.toContain(unseen);
    }
  });

  it("without an index are those that every index has, and reading says what to do", async () => {
    expect((await listResources(undefined, nothing)).resources).toHaveLength(2);
    await expect(readResource("treeline://status", nothing)).rejects.toMatchObject({
      code: ProtocolErrorCode.InternalError,
      message: expect.stringContaining("No index is published"),
    });
  });

  it("have templates whose ids complete", () => {
    expect(RESOURCE_TEMPLATES.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "treeline://documents/{id}",
      "treeline://sections/{id}",
    ]);
  });
});
