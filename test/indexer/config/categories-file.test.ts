import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadCategories, NO_CATEGORIES, parseCategories } from "../../../indexer/config/topic-files.ts";
import { InputError } from "../../../src/core/errors.ts";
import { makeFolder } from "../../support/temporary-folder.ts";

function messageOf(text: string): string {
  try {
    parseCategories(text);
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return "";
}

describe("parseCategories", () => {
  it("reads categories with their lines, comments and a byte order mark", () => {
    const text = `\uFEFF{
      // the first
      "categories": [
        { "name": "routing" },
        { "id": "5", "name": "software architecture", "aliases": ["design"], "parent": "engineering",
          "description": "How", "related": ["routing"], },
      ],
    }`;
    expect(parseCategories(text)).toEqual([
      { name: "routing", aliases: [], description: "", parent: "", related: [], line: 4 },
      {
        id: "5",
        name: "software architecture",
        aliases: ["design"],
        parent: "engineering",
        description: "How",
        related: ["routing"],
        line: 5,
      },
    ]);
  });

  it.each([
    ["[]", "categories.json:1:1: categories must be an object, found a list"],
    ["{}", 'categories.json:1:1: categories lacks the required key "categories"'],
    ['{"categories": [{"id": "a"}]}', 'categories.json:1:17: categories.categories[0] lacks the required key "name"'],
    [
      '{"categories": [\n {"name": "a", "alias": []}]}',
      'categories.json:2:16: categories.categories[0] has no key "alias"; did you mean "aliases"?',
    ],
    [
      '{"categories": [{"name": 5}]}',
      "categories.json:1:26: categories.categories[0].name must be a string, found the number 5",
    ],
    ['{"categories": [{"name": ""}]}', "categories.json:1:26: categories.categories[0].name must not be empty"],
    [
      '{"categories": [{"name": " - "}]}',
      'categories.json:1:26: categories.categories[0].name " - " holds no letter, digit or sign',
    ],
    [
      '{"categories": [{"name": "a", "aliases": ["_"]}]}',
      'categories.json:1:43: categories.categories[0].aliases[0] "_" holds no letter, digit or sign',
    ],
  ])("says of %j what is wrong where", (text, message) => {
    expect(messageOf(text)).toBe(message);
  });
});

describe("loadCategories", () => {
  it("reads the file beside the configuration, or the one that it names", async () => {
    const dir = await makeFolder();
    expect(await loadCategories(dir, "")).toEqual(NO_CATEGORIES);
    await expect(loadCategories(dir, "map.json")).rejects.toThrow(
      'the categories "map.json", which treeline.config.json names, do not exist',
    );
    await writeFile(join(dir, "map.json"), '{"categories": [{"name": "a"}]}');
    const { file, categories } = await loadCategories(dir, "map.json");
    expect([file, categories.map(({ name }) => name)]).toEqual(["map.json", ["a"]]);
  });
});
