/** What TOON answers of the code tools decode to, and which columns their tables have. */
import { decode } from "@toon-format/toon";
import { describe, expect, it } from "vitest";
import { ask, askJson } from "./workshop.ts";

const STORE = "code:src/store/store.ts";
const CALLS: readonly (readonly [tool: string, given: Readonly<Record<string, unknown>>])[] = [
  ["find_symbol", { query: "*", limit: 100 }],
  ["find_symbol", { query: "find" }],
  ["read", { file: STORE }],
  ["read", { file: "src/tools/counter.go", preview_mode: "none" }],
  ["read", { file: "src/http/server.ts", preview_mode: "expanded" }],
  ["search_nodes", { query: "*", limit: 200, max_tokens: 6000 }],
  ["search_nodes", { query: "*", package: "store", include: ["calls", "called_by", "signature"], max_tokens: 6000 }],
  ["search_nodes", { query: "*Shape*" }],
  ["get_tree", { doc_id: STORE }],
];

/** First columns of a table by its key; further ones are what was asked for beside. */
const MORE = /(,calls)?(,calledBy)?(,signature)?$/;
function columnsOf(kind: string): RegExp {
  if (/^(classes|interfaces|structs|traits|records)$/.test(kind))
    return /^(extends,)?(implements,)?(file,)?symbol,line,exported$/;
  if (/^(properties|fields|enumMembers)$/.test(kind)) return /^type,parent,(file,)?name,line$/;
  if (/^(methods|constructors)$/.test(kind)) return /^parent,(file,)?symbol,line$/;
  return /^(file,)?symbol,line,exported$/;
}

it.each(CALLS)("of %s %j decodes, with every symbol in a table of its kind", async (tool, given) => {
  const { texts } = await ask(tool, { ...given, format: "toon" });
  const text = texts[0] ?? "";
  const decoded = decode(text) as Readonly<Record<string, unknown>>;
  const nodes = (await askJson(tool, { ...given, max_tokens: 6000 })).symbols as readonly {
    readonly name: string;
  }[];
  const headers = [...text.matchAll(/^( *)(\w+)\[(\d+)\]\{(.+)\}:$/gm)];
  expect(headers.length).toBeGreaterThan(0);
  for (const [, , kind = "", , columns = ""] of headers) {
    expect(columns.replace(MORE, ""), kind).toMatch(columnsOf(kind));
  }
  const names: unknown[] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) {
      // Facts of packages are lists of names.
      for (const row of (value as Record<string, unknown>[]).filter((own) => typeof own === "object")) {
        names.push(row["symbol"] ?? row["name"]);
        expect(String(row["line"])).toMatch(/^\d+(-\d+)?$/);
        for (const cell of Object.values(row)) expect(typeof cell).not.toBe("object");
      }
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(walk);
  };
  walk(decoded);
  const shown = headers.reduce((sum, [, , , count]) => sum + Number(count), 0);
  expect(names).toHaveLength(shown);
  if (decoded["count"] === nodes.length) expect(names.toSorted()).toEqual(nodes.map(({ name }) => name).toSorted());
});

it("names a module and package once: on top where there is one, else as levels", async () => {
  const one = decode((await ask("search_nodes", { query: "*Shape*", format: "toon" })).texts[0] ?? "");
  expect(Object.keys(one as object)).toEqual(["count", "module", "package", "interfaces"]);
  const many = (await ask("find_symbol", { query: "create", format: "toon" })).texts[0] ?? "";
  expect(Object.keys(decode(many) as object)).toEqual(["count", "module", "tools", "shapes", "http"]);
  expect(many.match(/workshop/g)).toHaveLength(1);
});

describe("facts of packages", () => {
  const given = { query: "*Shape*", package: "shapes", format: "toon", include: ["meta"] };

  it("stand above the tables of each package where they are asked for", async () => {
    const one = decode((await ask("search_nodes", given)).texts[0] ?? "") as { exports: string[] };
    const facts = ["depends", "imports", "exports", "files", "symbols"];
    expect(Object.keys(one)).toEqual(["count", "module", "package", ...facts, "interfaces"]);
    expect(one).toMatchObject({ depends: ["util"], imports: ["util"], files: 6, symbols: 60 });
    expect(one.exports).toHaveLength(21);
    expect(one.exports.at(-1)).toBe("+4");
    const several = { query: "create", format: "toon", include: ["meta"] };
    const {
      count: _,
      module: __,
      ...packages
    } = decode((await ask("search_nodes", several)).texts[0] ?? "") as Record<string, object>;
    for (const own of Object.values(packages)) expect(Object.keys(own).slice(0, 5)).toEqual(facts);
    expect(packages["tools"]).toMatchObject({ depends: [], imports: ["python:dataclasses"] });
  });

  it("are left out where nobody asked for them, and where they would take the place of symbols", async () => {
    expect((await ask("search_nodes", { query: "*Shape*", format: "toon" })).text).not.toContain("depends");
    const whole = await ask("search_nodes", given);
    const small = await ask("search_nodes", { ...given, max_tokens: whole.tokens + 40 });
    expect(small.text).not.toContain("depends");
    expect((decode(small.texts[0] ?? "") as { interfaces: unknown[] }).interfaces).toHaveLength(6);
  });

  it("keep a lonely empty list", async () => {
    const lonely = { query: "Loan", package: "tools", format: "toon", include: ["meta"] };
    expect((await ask("search_nodes", lonely)).text).toContain("depends: []");
  });
});
