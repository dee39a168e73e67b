import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../indexer/config/config.ts";
import { describeRoles } from "../../../indexer/index/document-roles.ts";
import { parseGitAttributes } from "../../../indexer/sources/git.ts";
import { ROLES, type Role, roleOf, roleOfPath } from "../../../src/core/docs/roles.ts";
import type { IndexReader } from "../../../src/core/index/index-reader.ts";
import { runs } from "../../support/runs.ts";
import { makeCorpus } from "../../support/small-corpus.ts";

const CONFIG = parseConfig("{}");

function describeAll(paths: readonly string[], by: (path: string) => Role | undefined = () => undefined) {
  const documents = paths.map((path) => ({ collection: 0, path, isSource: !path.endsWith(".md") }));
  return describeRoles(CONFIG, documents, [by]);
}

describe("roles in the root", () => {
  it("say of each document what the build knows, folders folded", () => {
    const name = fc.constantFrom("a", "b", "test", "c#d", "100%");
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `${names.join("/")}.ts`);
    const known = fc.uniqueArray(fc.tuple(path, fc.constantFrom(...ROLES)), {
      selector: ([own]) => own,
      maxLength: 30,
    });
    fc.assert(
      fc.property(known, fc.boolean(), (pairs, isUniform) => {
        const roles = new Map(pairs.map(([own, role]) => [own, isUniform ? "vendored" : role]));
        const written = describeAll([...roles.keys()], (own) => roles.get(own));
        const reader = { index: { root: { roles: written } } } as unknown as IndexReader;
        for (const [own, role] of roles) {
          const id = `docs:${own.replaceAll("%", "%25").replaceAll("#", "%23")}`;
          expect([own, roleOf(reader, `${id}#a/b`)]).toEqual([own, role]);
        }
        if (isUniform && roles.size > 1) expect(Object.keys(written)).toHaveLength(1);
      }),
      { numRuns: runs(300) },
    );
  });

  it("know translations by the pages that they are of", () => {
    expect(
      describeAll([
        ...["guide/a.md", "guide/b.md", "fr/guide/a.md", "fr/guide/b.md", "fr/guide/only.md"],
        ...[
          "site/en/a.md",
          "site/ja/a.md",
          "site/pt-BR/a.md",
          "go/a.md",
          "it/other.md",
          "x.md",
          "x.zh-CN.md",
          "y.fr.md",
        ],
      ]),
    ).toEqual({
      "docs:fr/**": "translation",
      "docs:site/ja/a.md": "translation",
      "docs:site/pt-BR/a.md": "translation",
      "docs:x.zh-CN.md": "translation",
    });
  });
});

describe(".gitattributes", () => {
  it("gives roles by the last line that fits", () => {
    const roleOfFile = parseGitAttributes(
      "# A comment\n*.lock -diff\napi/** linguist-generated\napi/own.ts -linguist-generated\r\nlib/*.c text linguist-vendored=true\n\n[attr]x y\n",
    );
    expect(["api/a.ts", "api/own.ts", "lib/a.c", "lib/in/a.c", "a.lock"].map(roleOfFile)).toEqual([
      ...["generated", "production", "vendored"],
      ...[undefined, undefined],
    ]);
  });
});

describe("a build", () => {
  const collections = [
    { name: "docs", root: "docs" },
    { name: "secret", root: "inside", access: "team" },
    { name: "code", root: "src", kind: "code" },
  ];
  const files = {
    "docs/en/a.md": "# A\n\nWords.\n",
    "docs/fr/a.md": "# A\n\nMots.\n",
    "docs/old/b.md": "# B\n\nWords.\n",
    "inside/a.md": "# Hidden\n\nWords.\n",
    "inside/fr/a.md": "# Hidden\n\nMots.\n",
    "src/api/a.ts": "// @generated\nexport const a = 1;\n",
    "src/api/b.ts": "export const b = 1;\n",
    "src/c.ts": "export const c = 1;\n",
    ".gitattributes": "src/api/b.ts linguist-generated\n",
  };
  const roles = {
    "docs:fr/a.md": "translation",
    "docs:old/b.md": "history",
    "secret:fr/a.md": "translation",
    "code:api/**": "generated",
  };

  it("writes what configuration, attributes, marks and pages say, the same on a base", async () => {
    const corpus = await makeCorpus(files, { collections, roles: { "old/**": "vendored", "old/b.*": "history" } });
    await corpus.build("one");
    const { reader } = await corpus.open("one", ["public"]);
    expect(reader.index.root.roles).toEqual(roles);
    expect(roleOf(reader, "code:api/a.ts#a")).toBe("generated");
    expect(roleOf(reader, "code:c.ts#c")).toBe(roleOfPath("c.ts"));
    await corpus.edit({ "src/api/a.ts": "export const a = 2;\n", "docs/fr/c.md": "# C\n\nMots.\n" });
    expect((await corpus.buildOn("one", "two")).notice).toBe("");
    expect((await corpus.open("two")).reader.index.root.roles).toEqual({
      "docs:fr/**": "translation",
      "docs:old/b.md": "history",
      "secret:fr/a.md": "translation",
      "code:api/b.ts": "generated",
    });
  });

  it("writes none where paths tell all", async () => {
    const corpus = await makeCorpus({ "a.md": "# A\n", "test/README.md": "# B\n" });
    await corpus.build("one");
    expect((await corpus.open("one")).reader.index.root).not.toHaveProperty("roles");
  });
});
