import { describe, expect, it } from "vitest";
import { typeOfSchema } from "../../../indexer/package/write-types.ts";

describe("the type of a schema", () => {
  it("says what the schema says, with its descriptions", () => {
    const type = typeOfSchema("Config", {
      description: "What is read.",
      type: "object",
      required: ["name"],
      properties: {
        name: { type: "string", description: "A name, never */." },
        kind: { type: "string", enum: ["docs", "code"] },
        sizes: { type: "array", items: { type: ["integer", "null"] } },
        labels: { type: ["string", "object"], additionalProperties: { type: "boolean" } },
      },
    });
    expect(type).toBe(`/** What is read. */
export interface Config {
  /** A name, never *\\/. */
  readonly "name": string;
  readonly "kind"?: "docs" | "code";
  readonly "sizes"?: readonly (number | null)[];
  readonly "labels"?: string | {
    readonly [key: string]: boolean;
  };
}
`);
  });

  it("refuses keywords whose meaning it would lose", () => {
    const schema = JSON.parse('{ "type": "object", "properties": { "a": { "oneOf": [] } } }');
    expect(() => typeOfSchema("Config", schema)).toThrow("oneOf");
  });
});
