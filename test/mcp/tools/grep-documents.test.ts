import { describe, expect, it } from "vitest";
import { ask, askJson, askPages } from "./handbook.ts";

interface Result {
  readonly id: string;
  readonly matches: readonly { readonly line: number; readonly column: number; readonly text: string }[];
}

function placesOf(answer: Readonly<Record<string, unknown>>): string[] {
  return (answer.results as Result[]).flatMap(({ id, matches }) => matches.map(({ line }) => `${id}:${line}`));
}

describe("grep_documents", () => {
  it("finds a text whatever its case, unless that is asked for", async () => {
    expect(placesOf(await askJson("grep_documents", { pattern: "http_proxy" }))).toEqual(["docs:guide/install.md:22"]);
    const exact = await askJson("grep_documents", { pattern: "http_proxy", case_sensitive: true });
    expect(exact).toMatchObject({ total: 0, files: 0, truncated: false, results: [] });
  });

  it("takes a text as it is, and an expression where that is asked for", async () => {
    const text = await ask("grep_documents", { pattern: "apt.*install" });
    expect(text.text).toContain("regex: true takes it as an expression");
    const found = await askJson("grep_documents", { pattern: "apt.*install", regex: true });
    expect(placesOf(found)).toEqual(["docs:guide/install.md:17"]);
  });

  it("tells where no document was looked into from where none matches", async () => {
    for (const narrow of [{ path_glob: "nowhere/**" }, { collection: "notes", path_glob: "guide/**" }]) {
      const { text } = await ask("grep_documents", { pattern: "proxy", ...narrow });
      expect(text).toContain("No document was looked into");
    }
    expect((await ask("grep_documents", { pattern: "wombat" })).text).not.toContain("No document was looked into");
  });

  it("gives every match on one page or other, each once, in order", async () => {
    const whole = placesOf(
      await askJson("grep_documents", { pattern: "lamp", limit: 200, context: 0, max_tokens: 6000 }),
    );
    expect(whole.length).toBeGreaterThan(15);
    const pages = await askPages("grep_documents", { pattern: "lamp", limit: 4 });
    expect(pages.flatMap(placesOf)).toEqual(whole);
    expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([whole.length]));
    const small = await askPages("grep_documents", { pattern: "lamp", max_tokens: 400 });
    expect(small.length).toBeGreaterThan(2);
    expect(small.flatMap(placesOf)).toEqual(whole);
  });

  it("narrows by glob, collection and filters", async () => {
    const ids = async (given: object): Promise<Set<string>> =>
      new Set(
        placesOf(
          await askJson("grep_documents", { pattern: "e", limit: 200, context: 0, max_tokens: 6000, ...given }),
        ).map((place) => place.split(":")[0] as string),
      );
    expect(await ids({ collection: "notes" })).toEqual(new Set(["notes"]));
    const guide = await askJson("grep_documents", { pattern: "# ", path_glob: "guide/*", context: 0 });
    expect(placesOf(guide).every((place) => place.startsWith("docs:guide/"))).toBe(true);
    const recipes = await askJson("grep_documents", { pattern: "lamp", filters: { category: "recipe" } });
    expect(placesOf(recipes).every((place) => place.startsWith("docs:recipes/"))).toBe(true);
    expect(placesOf(recipes).length).toBeGreaterThan(10);
  });

  it("looks for each line of a pattern by itself, and says so", async () => {
    const { text } = await ask("grep_documents", { pattern: "HTTP_PROXY\napt install lantern\n" });
    expect(text).toContain("Found 2 matches");
    expect(text).toContain("The pattern has 2 lines; each was looked for by itself");
  });

  it.each(["\u0000", "\u0007x", "\u202e", "x".repeat(2000), "\ufffd", "%s", "</script>", "\\", "*", "(", "[["])(
    "takes any text: %j",
    async (pattern) => {
      const { isError, text } = await ask("grep_documents", { pattern });
      expect(isError, text).toBe(false);
    },
  );

  it.each(["(a+)+$", "(a|aa)*b", ".*.*.*=.*", "(.*.*)*x", "a{500}b", "(x?){400}x{400}", ".", "^", "()"])(
    "survives %s",
    async (pattern) => {
      const { isError, text } = await ask("grep_documents", { pattern, regex: true });
      expect(isError, text).toBe(false);
    },
  );
});
