/**
 * SARIF reports: what of them becomes a diagnostic, and what is refused.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSarif } from "../../../indexer/index/tool-files.ts";
import { InputError } from "../../../src/core/errors.ts";

const findFile = (path: string) =>
  path.startsWith("src/") ? { collection: "code", path: path.slice("src/".length) } : undefined;

function report(...results: readonly unknown[]): string {
  return JSON.stringify({
    version: "2.1.0",
    runs: [{ tool: { driver: { name: "ESLint", rules: [{ id: "no-var" }] } }, results }],
  });
}

function at(uri: string, region: unknown = { startLine: 3, startColumn: 7 }): unknown {
  return [{ physicalLocation: { artifactLocation: { uri }, region } }];
}

const parse = (text: string) => parseSarif(text, "/ci/lint.sarif", ["/repo"], findFile);

describe("results", () => {
  test("carry tool, rule, level and place", () => {
    const { diagnostics } = parse(
      report({ ruleId: "no-undef", level: "error", message: { text: "x is not defined" }, locations: at("src/a.ts") }),
    );
    expect(diagnostics).toEqual([
      {
        severity: "error",
        code: "no-undef",
        message: "x is not defined",
        collection: "code",
        path: "a.ts",
        line: 3,
        column: 7,
        tool: "ESLint",
      },
    ]);
  });

  test("without a level are warnings, with level note infos, and a rule can be named by its place", () => {
    const { diagnostics } = parse(
      report(
        { ruleIndex: 0, message: { text: "a" }, locations: at("src/a.ts") },
        { level: "note", message: { text: "b" }, locations: at("src/a.ts", null) },
      ),
    );
    expect(diagnostics.map(({ severity, code, line }) => [severity, code, line])).toEqual([
      ["warning", "no-var", 3],
      ["info", "finding", 0],
    ]);
  });

  test.each(["toString", "constructor", "__proto__", "none", ""])("of the level %j are infos", (level) => {
    const text = `{"runs":[{"results":[{"level":${JSON.stringify(level)},"locations":${JSON.stringify(at("src/a.ts"))}}]}]}`;
    expect(parse(text).diagnostics.map(({ severity }) => severity)).toEqual(["info"]);
  });

  test("stand where their bases say", () => {
    const place = (uri: string, uriBaseId: string) => ({
      locations: [{ physicalLocation: { artifactLocation: { uri, uriBaseId } } }],
    });
    const results = [
      place("a.ts", "SRC"),
      place("b.ts", "DEEP"),
      place("src/c.ts", "%SRCROOT%"),
      place("d.ts", "LOOP"),
    ];
    const originalUriBaseIds = {
      SRC: { uri: "file:///repo/src/" },
      DEEP: { uri: "deep", uriBaseId: "SRC" },
      LOOP: { uri: "x/", uriBaseId: "LOOP" },
    };
    const { diagnostics, elsewhere } = parse(JSON.stringify({ runs: [{ originalUriBaseIds, results }] }));
    expect(diagnostics.map(({ path }) => path)).toEqual(["a.ts", "deep/b.ts", "c.ts"]);
    expect(elsewhere).toBe(1);
  });

  test("elsewhere are told of without folders of the machine", () => {
    const places = ["file:///secret/home/b.ts", "lib/x.ts", "lib/y.ts", "lib/z.ts"];
    const results = [...places.map((uri) => ({ locations: at(uri) })), {}, { locations: at("src/a.ts") }];
    expect(parse(report(...results)).elsewhereMessage).toBe(
      '5 of 6 results of lint.sarif are in no indexed file: "b.ts", "lib/x.ts", "lib/y.ts", …',
    );
    expect(parse(report({ locations: at("src/a.ts") })).elsewhereMessage).toBeUndefined();
  });

  test("speak of files from the folder, not from the machine's top", () => {
    const text = "cannot open /repo/src/secret.h, see /home/me/x.h";
    const [found] = parse(report({ message: { text }, locations: at("src/a.ts") })).diagnostics;
    expect(found?.message).toBe("cannot open src/secret.h, see x.h");
  });

  test("take absolute addresses inside the folder, and count what is elsewhere", () => {
    const { diagnostics, elsewhere } = parse(
      report(
        { message: { text: "a" }, locations: at("file:///repo/src/b%20c.ts") },
        { message: { text: "b" }, locations: at("file:///other/src/b.ts") },
        { message: { text: "c" }, locations: at("../src/b.ts") },
        { message: { text: "d" } },
        { message: { text: "e" }, locations: at("lib/x.ts") },
      ),
    );
    expect(diagnostics.map(({ path }) => path)).toEqual(["b c.ts"]);
    expect(elsewhere).toBe(4);
  });
});

describe("what is no report", () => {
  test.each(["", "{", "[]", '{"runs": 3}', "null"])("%j is refused in words", (text) => {
    expect(() => parse(text)).toThrow(InputError);
    expect(() => parse(text)).toThrow(/lint\.sarif.* is no SARIF report/);
  });

  test("any JSON inside of runs gives a report, never another error", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (runs) => {
        expect(parse(JSON.stringify({ runs })).diagnostics).toEqual([]);
      }),
    );
  });
});
