import { describe, expect, it } from "vitest";
import { toInputSchema } from "../../src/mcp/tool.ts";

describe("toInputSchema", () => {
  it("shows snake_case names with defaults and maxima, and forbids nothing", () => {
    const schema = toInputSchema({
      query: { kind: "text", required: true, aliases: ["needle"] },
      node_ids: { kind: "texts" },
      limit: { kind: "integer", default: 10, maximum: 50 },
      threshold: { kind: "number", default: 0.5, minimum: 0, maximum: 1 },
      include_content: { kind: "boolean", default: false },
      direction: { kind: "choice", values: ["in", "out"], default: "out" },
      include: { kind: "choices", values: ["calls", "reads"] },
      filters: { kind: "filter", description: "by facets" },
      lines: { kind: "object" },
      ranking: { kind: "ranking" },
    });
    expect(schema).toEqual({
      type: "object",
      properties: {
        query: { type: "string" },
        node_ids: { type: "array", items: { type: "string" } },
        limit: { type: "integer", default: 10, maximum: 50 },
        threshold: { type: "number", default: 0.5, maximum: 1 },
        include_content: { type: "boolean", default: false },
        direction: { type: "string", enum: ["in", "out"], default: "out" },
        include: { type: "array", items: { type: "string", enum: ["calls", "reads"] } },
        filters: { type: "object", description: "by facets" },
        lines: { type: "object" },
        ranking: { type: ["object", "string"] },
      },
      required: ["query"],
    });
    expect(JSON.stringify(schema)).not.toContain("additionalProperties");
  });

  it("leaves out an empty list of required arguments", () => {
    expect(toInputSchema({ query: { kind: "text" } })).not.toHaveProperty("required");
  });
});
