/** Messages of tools: which paths stay, which are cut. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hideFolders } from "../../../indexer/index/tool-files.ts";

const hide = (text: string) => hideFolders(text, ["/home/me/my repo/docs", "/home/me/my repo"]);

describe("messages", () => {
  it.each([
    ["/home/me/my repo/docs/src/a.c:3: bad", "src/a.c:3: bad"],
    ["in '/home/me/my repo/docs' and file:///home/me/my%20repo/docs/a.c", "in '.' and a.c"],
    ["from /home/me/my repo/lib/b.h", "from ../lib/b.h"],
    ["/home/me/my repo/docs2/x.h", "../docs2/x.h"],
    ["cannot open /usr/include/x.h", "cannot open x.h"],
    ["error:/tmp/build-1/y.o (file:///var/z.o)", "error:y.o (z.o)"],
    ["C:\\Users\\me\\a.c(3) and \\\\host\\share\\b.c", "a.c(3) and b.c"],
    ["file:///C:/Users/me/a.c", "a.c"],
    ["folder /opt/tool/", "folder tool"],
  ])("say %j without the machine's folders", (text, shown) => {
    expect(hide(text)).toBe(shown);
  });

  it.each([
    "see https://eslint.org/docs/rules/no-var, or src/a/b.c",
    "and/or, 1/2/3, @scope/name/part, ../lib/x.h, ./a/b",
    "replace /^a+/gi by /b/",
    "route /users",
    "// comment",
  ])("that name no such folder stay: %s", (text) => {
    expect(hide(text)).toBe(text);
  });

  it("never hold the folder, whatever stands around it", () => {
    const words = fc.array(
      fc.constantFrom(" ", "/secret/home/a.c", "/secret/home", "x", ":", "(", "file://", '"', "."),
    );
    fc.assert(
      fc.property(words, (list) => {
        expect(hideFolders(` ${list.join(" ")}`, ["/secret/home"])).not.toContain("secret");
      }),
    );
  });
});
