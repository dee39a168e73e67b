/**
 * Configuration: defaults, every kind of mistake with its place, and the agreement of schema, loader and types.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { defaultConfig, parseConfig } from "../../../indexer/config/config.ts";
import { loadConfig } from "../../../indexer/sources/load-config.ts";
import configSchema from "../../../schemas/config.schema.json" with { type: "json" };
import { InputError } from "../../../src/core/errors.ts";
import { RANKING_BOUNDS, RANKING_NAMES, RANKING_PRESETS } from "../../../src/core/search/ranking-settings.ts";
import { runs } from "../../support/runs.ts";
import { makeSchemas } from "../../support/write-schemas.ts";

/** The part of JSON Schema that the configuration uses. */
interface SchemaNode {
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: SchemaNode;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
}

const CONFIG_SCHEMA = configSchema as unknown as SchemaNode;

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "treeline-config-"));
});

afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

describe("collections that are not named", () => {
  const names = async (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) await writeFile(join(dir, path), text);
    return (await loadConfig(dir)).collections.map(({ name, kind }) => `${name} ${kind}`);
  };

  test("are one of pages, one of source files, or both, by what the folder holds", async () => {
    expect(await names({ "a.md": "# A" })).toEqual(["docs docs"]);
    expect(await names({ "a.ts": "export const a = 1;" })).toEqual(["docs docs", "code code"]);
    await rm(join(dir, "a.md"));
    expect(await names({})).toEqual(["code code"]);
  });

  test("are a built site where pages outnumber the Markdown, and what is left out is said", async () => {
    const pages = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`p${at}.html`, "<p>x"]));
    expect(await names({ ...pages, "LICENSE.md": "# MIT" })).toEqual(["site site"]);
    expect((await loadConfig(dir)).leftOut).toMatch(/10 pages of HTML are read, and 1 other page is left out/);
    expect(await names({ "a.md": "# A", "b.md": "# B" })).toEqual(["docs docs"]);
    expect((await loadConfig(dir)).leftOut).toMatch(/10 pages of HTML are left out; .* "site" reads them/);
    await writeFile(join(dir, "package.json"), "{}");
    expect((await loadConfig(dir)).leftOut).toBeUndefined();
  });

  test("leave out minified files, and are chosen beside other settings too", async () => {
    expect(await names({ "a.min.js": "var a=1", "treeline.config.json": '{"limits": {}}' })).toEqual(["docs docs"]);
  });
});

test("a collection of kind code holds all source files where it names none", () => {
  const [code] = parseConfig('{"collections": [{"name": "a", "kind": "code"}]}').collections;
  expect(code).toMatchObject({ include: expect.arrayContaining(["**/*.py"]), weight: 0.7 });
  const [heavy] = parseConfig('{"collections": [{"name": "a", "kind": "code", "weight": 1}]}').collections;
  expect(heavy?.weight).toBe(1);
  const [own] = parseConfig('{"collections": [{"name": "a", "kind": "code", "include": ["x/**"]}]}').collections;
  expect(own?.include).toEqual(["x/**"]);
});

describe("defaults", () => {
  test("a folder without a configuration gets one collection docs", async () => {
    expect(await loadConfig(dir)).toEqual(defaultConfig());
    expect(defaultConfig()).toEqual({
      collections: [
        {
          name: "docs",
          root: ".",
          include: [
            ...["md", "mdx", "markdown", "rst", "adoc", "asciidoc", "ipynb"].map((ending) => `**/*.${ending}`),
            expect.stringMatching(/^\*\*\/!\(.*\)\.txt$/),
          ],
          exclude: [expect.stringContaining("tests")],
          kind: "docs",
          weight: 1,
          baseUrl: "",
          version: "",
          repository: "",
          access: "public",
          facets: {},
          anchors: "github",
          packages: "auto",
          outline: { ignoreKinds: [], stopKinds: ["function", "method", "constructor"] },
          site: { root: "", exclude: [], cleanUrls: "auto" },
          language: "english",
        },
      ],
      limits: { maxFileBytes: 10 * 1024 * 1024, maxFiles: 200_000 },
      facets: { include: [], exclude: [] },
      ranking: {
        preset: "tutorials",
        bm25_k1: null,
        bm25_b: null,
        title_weight: null,
        code_weight: null,
        description_weight: null,
        term_proximity_bonus: null,
        full_coverage_bonus: null,
        prefix_penalty: null,
      },
      precise: "auto",
      project: { name: "", description: "", logo: "", accent: "" },
      graph: {
        topHubs: 10,
        hubMinConnections: 1,
        maxCycles: 20,
        entryPoints: [],
        ignore: [],
        complexity: { moderate: 100, complex: 1000, veryComplex: 10000 },
      },
      scan: { ignore: [] },
      roles: {},
      failOn: [],
      glossary: "",
      thesaurus: true,
      expand: { command: [], seconds: 600, terms: 16 },
      categories: "",
      categoriesFrom: ["file", "frontmatter", "folder", "package"],
    });
  });

  test("an empty object means the same as no file", () => {
    expect(parseConfig("{}")).toEqual(defaultConfig());
  });

  test("what the file leaves out keeps its default beside what it gives", () => {
    const config = parseConfig('{"limits": {"maxFiles": 5}, "collections": [{"name": "a", "weight": 2.5}]}');
    expect(config.limits).toEqual({ maxFileBytes: 10 * 1024 * 1024, maxFiles: 5 });
    expect(config.collections[0]).toEqual({ ...defaultConfig().collections[0], name: "a", weight: 2.5 });
  });
});

describe("reading the file", () => {
  test("comments, trailing commas, a byte order mark and CRLF are fine", async () => {
    const text = '\uFEFF{\r\n  // the docs\r\n  "collections": [{ "name": "docs", /* all */ },],\r\n}\r\n';
    await writeFile(join(dir, "treeline.config.json"), text);
    expect((await loadConfig(dir)).collections).toHaveLength(1);
  });

  test("positions do not count the byte order mark", () => {
    expect(readMessage('\uFEFF{"x": 1}')).toMatch(/^treeline\.config\.json:1:2: /);
  });

  test("a folder under the file's name is named without its absolute path", async () => {
    await mkdir(join(dir, "treeline.config.json"));
    const message = await rejection(loadConfig(dir));
    expect(message).toBe("treeline.config.json cannot be read: it is a folder");
  });

  test("bytes that are not UTF-8 are refused", async () => {
    await writeFile(join(dir, "treeline.config.json"), Buffer.from([0x7b, 0xff, 0x7d]));
    expect(await rejection(loadConfig(dir))).toMatch(/not UTF-8/);
  });

  test("a file of two megabytes is refused", async () => {
    await writeFile(join(dir, "treeline.config.json"), `{}${" ".repeat(2 ** 21)}`);
    expect(await rejection(loadConfig(dir))).toMatch(/at most 1048576 are read/);
  });

  test("editors may name the schema", () => {
    expect(parseConfig('{"$schema": "./schemas/config.schema.json"}')).toEqual(defaultConfig());
  });

  test("an address gets exactly one slash at its end, a repository none and no .git", () => {
    const text = JSON.stringify({
      collections: [
        { name: "a", baseUrl: "https://Example.org/docs//", repository: "https://github.com/o/r.git" },
        { name: "b", baseUrl: "http://localhost:3000" },
      ],
    });
    const { collections } = parseConfig(text);
    expect(collections.map(({ baseUrl, repository }) => [baseUrl, repository])).toEqual([
      ["https://example.org/docs/", "https://github.com/o/r"],
      ["http://localhost:3000/", ""],
    ]);
  });

  test("a root is brought to its shortest spelling", () => {
    const roots = ["docs/", "./docs/./api/../guide", "./", "a/.."];
    const text = JSON.stringify({ collections: roots.map((root, index) => ({ name: `c${index}`, root })) });
    expect(parseConfig(text).collections.map((collection) => collection.root)).toEqual([
      "docs",
      "docs/guide",
      ".",
      ".",
    ]);
  });
});

describe("mistakes", () => {
  test("an unknown key is reported at its place with the nearest key", () => {
    expect(readMessage('{\n  "collections": [\n    { "name": "docs", "inclde": ["*.md"] }\n  ]\n}')).toBe(
      'treeline.config.json:3:23: collections[0] has no key "inclde"; did you mean "include"?',
    );
  });

  test("an unknown key that is near nothing gets the list of keys", () => {
    expect(readMessage('{"limits": {"zzz": 1}}')).toBe(
      'treeline.config.json:1:13: limits has no key "zzz"; its keys are: maxFileBytes, maxFiles',
    );
  });

  test("all mistakes are reported together, in order of place", () => {
    const text = `{
  "colections": [],
  "limits": { "maxFiles": "many", "maxFileBytes": 0 },
  "collections": [
    { "name": "a b", "weight": -1, "kind": "doc" },
    { "root": "../elsewhere", "baseUrl": "ftp://x", "exclude": "drafts" },
    "docs"
  ]
}`;
    expect(readMessage(text).split("\n")).toEqual([
      'treeline.config.json:2:3: the configuration has no key "colections"; did you mean "collections"?',
      'treeline.config.json:3:27: limits.maxFiles must be a whole number, found the string "many"',
      "treeline.config.json:3:51: limits.maxFileBytes must be at least 1, found 0",
      'treeline.config.json:5:15: collections[0].name cannot be "a b"; it takes letters, digits, dots, hyphens and ' +
        "underscores, starting with a letter or a digit",
      "treeline.config.json:5:32: collections[0].weight must be greater than 0, found -1",
      'treeline.config.json:5:44: collections[0].kind cannot be "doc"; did you mean "docs"?',
      'treeline.config.json:6:5: collections[1] lacks the required key "name"',
      'treeline.config.json:6:15: collections[1].root "../elsewhere" leads out of the folder of treeline.config.json',
      'treeline.config.json:6:42: collections[1].baseUrl "ftp://x" is not a web address; it starts with https:// or http://',
      'treeline.config.json:6:64: collections[1].exclude must be a list, found the string "drafts"',
      'treeline.config.json:7:5: collections[2] must be an object, found the string "docs"',
    ]);
  });

  test.each([
    ['{"collections": [{"name": "a"}, {"name": "A"}]}', '1:42: collections[1].name "A" is taken by collections[0]'],
    ['{"collections": []}', "1:17: collections must not be empty; leave the key out for its default"],
    ['{"collections": null}', "1:17: collections must be a list, found null"],
    ['{"collections": [{"name": "a", "name": "b"}]}', "1:32: collections[0].name is given twice"],
    ["[]", "1:1: the configuration must be an object, found a list"],
    ['{"limits": {"maxFiles": 1.5}}', "1:25: limits.maxFiles must be a whole number, found the number 1.5"],
    ['{"facets": {"include": ["a"], "exclude": ["a"]}}', '1:43: facets.exclude[0] "a" is in facets.include as well'],
    [
      '{"facets": {"exclude": ["collection"]}}',
      '1:25: facets.exclude[0] "collection" cannot stand here: every document has the facet of its collection\'s name',
    ],
    [
      '{"facets": {"include": ["title"]}}',
      '1:25: facets.include[0] "title" cannot stand here: titles are searched, not filtered by',
    ],
    ['{"glossary": "../words.json"}', '1:14: glossary "../words.json" leads out of the folder of treeline.config.json'],
    [
      '{"glossary": "/words.json"}',
      '1:14: glossary "/words.json" is an absolute path; it must be relative to the folder of treeline.config.json',
    ],
  ])("%s is refused", (text, message) => {
    expect(readMessage(text)).toBe(`treeline.config.json:${message}`);
  });

  test.each([
    ["root", "/etc", /absolute path/],
    ["root", "C:/docs", /absolute path/],
    ["root", "..", /leads out/],
    ["root", "docs/../../x", /leads out/],
    ["root", "docs\\api", /backslash/],
    ["root", "", /must not be empty/],
    ["include", ["/abs/*.md"], /absolute path/],
    ["include", ["../*.md"], /cannot reach out/],
    ["include", ["!drafts/**"], /put what is to be left out under "exclude"/],
    ["include", [], /must not be empty/],
    ["include", ["./"], /names no file/],
    ["include", [3], /must be a string, found the number 3/],
    ["exclude", ["a/../../b"], /cannot reach out/],
    ["kind", "sites", /did you mean "site"/],
    ["site", { exclude: ["nav", "p::before"] }, /site\.exclude\[1\] "p::before" is no selector that is known/],
    ["site", { root: "main >" }, /site\.root "main >" is no selector that is known/],
    ["weight", 0, /greater than 0/],
    ["weight", 101, /at most 100/],
    ["weight", "1", /must be a number, found the string "1"/],
    ["baseUrl", "example.org", /not a web address/],
    ["baseUrl", "https://user:pw@example.org/", /user name or password/],
    ["baseUrl", "https://example.org/?a=b", /must end before \? and #/],
    ["repository", "git@github.com:o/r.git", /not a web address/],
    ["access", "Team", /"public" or a group name/],
    ["facets", { title: "x" }, /titles are searched/],
    ["facets", { collection: "x" }, /facet of its collection's name/],
    ["facets", { product: 3 }, /must be a string or a list, found the number 3/],
    ["facets", { product: [] }, /must not be empty/],
    ["facets", { " product": "x" }, /spaces around it/],
    ["anchors", "gitlab", /did you mean "github"/],
    ["packages", "folder", /it takes "auto", "manifest", "folders"/],
    ["packages", { core: [] }, /must not be empty/],
    ["outline", { stopKinds: ["methods"] }, /did you mean "method"/],
    ["version", 2, /must be a string, found the number 2/],
  ])("%s %j is refused", (key, value, message) => {
    const text = JSON.stringify({ collections: [{ name: "a", [key]: value }] });
    expect(readMessage(text)).toMatch(message);
    expect(readMessage(text).split("\n")).toHaveLength(1);
  });

  test.each([
    ['{\n  "limits": {"maxFiles": 1}\n  "facets": {}\n}', "3:3: a comma is missing here"],
    ["{\n  'limits': {}\n}", "2:3: this is not JSON; keys and strings need double quotes"],
    ['{\n  "limits": {\n', "3:1: a closing } is missing here"],
    ['{"limits" {}}', "1:11: a colon is missing here"],
    ['{"a": "\\x"}', "1:7: this escape does not exist in JSON; a backslash is written \\\\"],
    ['{"a": "x}', "1:7: this text is not closed by a double quote"],
    ["{} {}", "1:4: the file ends before this; remove what follows"],
    ["", "1:1: a value is missing here"],
    ["// nothing", "1:11: a value is missing here"],
  ])("%j has its fault in the syntax at its line and column", (text, message) => {
    expect(readMessage(text).split("\n")).toContain(`treeline.config.json:${message}`);
  });

  test("a hundred thousand nested brackets are an error in words", () => {
    expect(readMessage("[".repeat(100_000))).toMatch(/^treeline\.config\.json/);
  });

  test("a thousand mistakes are printed as fifty and a count", () => {
    const keys = Array.from({ length: 1000 }, (_, index) => `"key${index}": 1`).join(",");
    const lines = readMessage(`{${keys}}`).split("\n");
    expect(lines).toHaveLength(51);
    expect(lines.at(-1)).toBe("treeline.config.json: 950 more problems");
  });

  test("any JSON value is accepted or refused in words, and nothing else", () => {
    const words = fc.constantFrom(
      "collections",
      "name",
      "root",
      "include",
      "kind",
      "limits",
      "maxFiles",
      "facets",
      "x",
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, words, fc.jsonValue({ maxDepth: 1 }), tie("list"), tie("object")),
      list: fc.array(tie("value"), { maxLength: 3 }),
      object: fc.dictionary(words, tie("value"), { maxKeys: 4 }),
    }));
    fc.assert(
      fc.property(value, (config) => {
        try {
          parseConfig(JSON.stringify(config));
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
        }
      }),
    );
  });

  test("any text is accepted or refused in words, and nothing else", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]":,/*\\ \nu0ae-.') }), (text) => {
        try {
          parseConfig(text);
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
          expect((error as InputError).message).toMatch(/^treeline\.config\.json/);
        }
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe("version of a package", () => {
  const writePackage = async (folder: string, manifest: string) => {
    await mkdir(join(dir, folder), { recursive: true });
    await writeFile(join(dir, folder, "package.json"), manifest);
  };
  const loadVersion = async (collection: object) => {
    await writeFile(
      join(dir, "treeline.config.json"),
      JSON.stringify({ collections: [{ name: "a", ...collection }, { name: "b" }] }),
    );
    return (await loadConfig(dir)).collections.map(({ version }) => version);
  };

  test("is the label of a collection that spells out a package", async () => {
    await writePackage("node_modules/@scope/pkg", '{"version": "4.5.6"}');
    expect(await loadVersion({ include: ["node_modules/@scope/pkg/**/*.md"] })).toEqual(["4.5.6", ""]);
    expect(await loadVersion({ include: ["node_modules/@scope/pkg/README.md"] })).toEqual(["4.5.6", ""]);
    expect(await loadVersion({ root: "node_modules/@scope/pkg" })).toEqual(["4.5.6", ""]);
    expect(await loadVersion({ root: "node_modules", include: ["@scope/pkg/*.md"] })).toEqual(["4.5.6", ""]);
  });

  test("gives way to a label in the configuration, an empty one included", async () => {
    await writePackage("node_modules/pkg", '{"version": "1.0.0"}');
    expect(await loadVersion({ include: ["node_modules/pkg/*.md"], version: "next" })).toEqual(["next", ""]);
    expect(await loadVersion({ include: ["node_modules/pkg/*.md"], version: "" })).toEqual(["", ""]);
  });

  test("is empty for several packages, for a package among other folders, and without a usable package.json", async () => {
    await writePackage("node_modules/one", '{"version": "1.0.0"}');
    await writePackage("node_modules/two", '{"version": "1.0.0"}');
    await writePackage("node_modules/bad", "{");
    await writePackage("node_modules/odd", '{"version": 3}');
    expect(await loadVersion({ include: ["node_modules/one/*.md", "node_modules/two/*.md"] })).toEqual(["", ""]);
    expect(await loadVersion({ include: ["node_modules/one/*.md", "docs/*.md"] })).toEqual(["", ""]);
    expect(await loadVersion({ include: ["node_modules/bad/*.md"] })).toEqual(["", ""]);
    expect(await loadVersion({ include: ["node_modules/odd/*.md"] })).toEqual(["", ""]);
    expect(await loadVersion({ include: ["node_modules/none/*.md"] })).toEqual(["", ""]);
    expect(await loadVersion({ include: ["node_modules/*/*.md"] })).toEqual(["", ""]);
  });
});

describe("schema and loader", () => {
  test.each([...makeSchemas()])("%s is current: npm run build:schemas", async (path, schema) => {
    const text = await readFile(new URL(`../../../${path}`, import.meta.url), "utf8");
    expect(JSON.parse(text)).toEqual(schema);
    expect(JSON.parse(text).$schema).toBe("https://json-schema.org/draft/2020-12/schema");
  });

  test("the schema describes every key, and allows no others", () => {
    for (const { schema, where } of walkSchema(CONFIG_SCHEMA, "")) {
      for (const [key, child] of Object.entries(schema.properties ?? {})) {
        expect(child.description, `${where}.${key}`).toBeTypeOf("string");
        const hasDefault = "default" in child || schema.required?.includes(key) === true || key === "$schema";
        expect(hasDefault, `${where}.${key}`).toBe(true);
      }
      if (schema.properties !== undefined) {
        expect(schema.additionalProperties, where).toBe(false);
      }
    }
  });

  test("the loaded configuration has exactly the schema's keys with the schema's defaults", () => {
    const config: unknown = defaultConfig();
    compareKeys(config, CONFIG_SCHEMA, "");
  });

  test("every value of an enumeration is accepted as such, and a neighbour of it is not", () => {
    for (const { schema, where } of walkSchema(CONFIG_SCHEMA, "")) {
      const key = where.split(".").at(-1) ?? "";
      for (const value of schema.enum ?? []) {
        const place = (given: string) =>
          where.startsWith(".ranking.")
            ? { ranking: { [key]: given } }
            : where.includes(".outline.")
              ? { collections: [{ name: "a", outline: { [key.replace("[]", "")]: [given] } }] }
              : where.includes(".site.")
                ? { collections: [{ name: "a", site: { [key]: given } }] }
                : where.startsWith(".scan.")
                  ? { scan: { ignore: [{ path: "**", [key]: given }] } }
                  : where.startsWith(".roles")
                    ? { roles: { "**": given } }
                    : where === ".precise"
                      ? { precise: given }
                      : where.startsWith(".categoriesFrom")
                        ? { categoriesFrom: [given] }
                        : { collections: [{ name: "a", [key]: given }] };
        expect(readMessage(JSON.stringify(place(value)), true)).not.toMatch(/its values are|did you mean/);
        expect(readMessage(JSON.stringify(place(`${value}x`)))).toMatch(/did you mean/);
      }
    }
  });

  test("the bounds of numbers are accepted and the next values are not", () => {
    const limits = (value: object) => readMessage(JSON.stringify({ limits: value }), true);
    for (const key of ["maxFileBytes", "maxFiles"]) {
      const { minimum, maximum } = CONFIG_SCHEMA.properties?.["limits"]?.properties?.[key] ?? {};
      expect(limits({ [key]: minimum })).toBe("");
      expect(limits({ [key]: maximum })).toBe("");
      expect(limits({ [key]: Number(minimum) - 1 })).toMatch(/at least/);
      expect(limits({ [key]: Number(maximum) + 1 })).toMatch(/at most/);
    }
  });
});

describe("ranking", () => {
  const properties = CONFIG_SCHEMA.properties?.["ranking"]?.properties ?? {};

  test("the schema has the settings, presets and bounds of the search", () => {
    const { preset, ...settings } = properties;
    expect(preset?.enum).toEqual(RANKING_PRESETS);
    expect(Object.keys(settings)).toEqual(RANKING_NAMES);
    for (const name of RANKING_NAMES) {
      const { minimum, maximum, default: value } = RANKING_BOUNDS[name];
      expect(settings[name]).toMatchObject({ minimum, maximum });
      expect(settings[name]?.description, name).toContain(` ${value} unless the preset`);
    }
  });

  test("settings keep their values, and null stands for the preset's", () => {
    const { ranking } = parseConfig('{"ranking": {"preset": "mixed", "bm25_b": 0, "title_weight": null}}');
    expect(ranking).toEqual({ ...defaultConfig().ranking, preset: "mixed", bm25_b: 0 });
  });

  test.each([
    ["title_weight", -1, "1:28: ranking.title_weight must be at least 0, found -1"],
    ["bm25_b", 1.5, "1:22: ranking.bm25_b must be at most 1, found 1.5"],
    ["bm25_k1", "1.2", '1:23: ranking.bm25_k1 must be a number or null, found the string "1.2"'],
    ["titleWeight", 1, '1:13: ranking has no key "titleWeight"; did you mean "title_weight"?'],
    ["preset", "api", '1:22: ranking.preset cannot be "api"; did you mean "api-reference"?'],
  ])("%s %j is refused", (key, value, message) => {
    expect(readMessage(JSON.stringify({ ranking: { [key]: value } }))).toBe(`treeline.config.json:${message}`);
  });
});

describe("graph", () => {
  test("settings keep their values beside the defaults of others", () => {
    const { graph } = parseConfig(
      '{"graph": {"topHubs": 3, "entryPoints": ["jobs/*.ts"], "complexity": {"complex": 500}}}',
    );
    expect(graph).toEqual({
      ...defaultConfig().graph,
      topHubs: 3,
      entryPoints: ["jobs/*.ts"],
      complexity: { moderate: 100, complex: 500, veryComplex: 10_000 },
    });
  });

  test.each([
    [{ topHubs: -1 }, "1:21: graph.topHubs must be at least 0, found -1"],
    [{ maxCycles: 101 }, "1:23: graph.maxCycles must be at most 100, found 101"],
    [{ hubMinConnections: 0 }, "1:31: graph.hubMinConnections must be at least 1, found 0"],
    [{ maxCycle: 3 }, '1:11: graph has no key "maxCycle"; did you mean "maxCycles"?'],
    [
      { ignore: ["/abs/**"] },
      '1:21: graph.ignore[0] "/abs/**" is an absolute path; globs are relative to the collection\'s root',
    ],
    [
      { entryPoints: ["../up.ts"] },
      '1:26: graph.entryPoints[0] "../up.ts" holds ".."; a collection cannot reach out of its root',
    ],
    [
      { complexity: { moderate: 1000 } },
      "1:24: graph.complexity.complex must be more than moderate, which is 1000; found 1000",
    ],
    [
      { complexity: { complex: 20, moderate: 10, veryComplex: 15 } },
      "1:66: graph.complexity.veryComplex must be more than complex, which is 20; found 15",
    ],
  ])("%j is refused", (graph, message) => {
    expect(readMessage(JSON.stringify({ graph }))).toBe(`treeline.config.json:${message}`);
  });
});

function* walkSchema(schema: SchemaNode, where: string): Generator<{ schema: SchemaNode; where: string }> {
  yield { schema, where };
  for (const [key, child] of Object.entries(schema.properties ?? {})) {
    yield* walkSchema(child, `${where}.${key}`);
  }
  if (schema.items !== undefined) {
    yield* walkSchema(schema.items, `${where}[]`);
  }
  if (typeof schema.additionalProperties === "object") {
    yield* walkSchema(schema.additionalProperties, `${where}.*`);
  }
}

function compareKeys(value: unknown, schema: SchemaNode, where: string): void {
  if (Array.isArray(value) && schema.items !== undefined) {
    for (const entry of value) {
      compareKeys(entry, schema.items, `${where}[]`);
    }
  } else if (schema.properties !== undefined) {
    const known = Object.keys(schema.properties).filter((key) => key !== "$schema");
    expect(Object.keys(value as object).sort(), where).toEqual(known.sort());
    for (const [key, entry] of Object.entries(value as object)) {
      const child = schema.properties[key] as SchemaNode;
      if (child.properties === undefined && child.items?.properties === undefined && !schema.required?.includes(key)) {
        expect(entry, `${where}.${key}`).toEqual(child.default);
      }
      compareKeys(entry, child, `${where}.${key}`);
    }
  }
}

/** The message with which a text is refused; `""` for one that is accepted where that is allowed. */
function readMessage(text: string, mayPass = false): string {
  try {
    parseConfig(text);
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as InputError).message;
  }
  expect(mayPass, "accepted").toBe(true);
  return "";
}

async function rejection(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).message;
}
