import { describe, expect, it } from "vitest";
import { parseTypeScript } from "../../../../indexer/languages/typescript/parse.ts";

/** Members that a text writes by their names, each with the line of its place. */
function writes(text: string): string[] {
  const types = "interface Store { size: number; inner: Store; list: Store[]; open(): void }\n";
  const { uses } = parseTypeScript({ path: "a.ts", text: `${types}${text}` });
  return uses
    .filter(({ kind, target }) => kind === "writes" && target.members.length > 0)
    .map(({ target, at }) => `${target.members.join(".")}@${at.line - 1}:${at.column}`);
}

describe("keys of object literals", () => {
  it.each([
    ["const a: Store = { size: 1 }", ["size@1:20"]],
    ["let a: Store = { inner: { size } }", ["inner@1:18", "inner.size@1:27"]],
    ["function f(): Store { return { size: 1, open() {} } }", ["size@1:32", "open@1:41"]],
    ["const f = (): Store => ({ size: 1 })", ["size@1:27"]],
    ["async function f(): Promise<Store> { return { size: 1 } }", ["size@1:47"]],
    ["function f(a: Store = { size: 1 }) {}", ["size@1:25"]],
    ["class A { a: Store = { size: 1 } }", ["size@1:24"]],
    ["f({ size: 1 } satisfies Store, { size: 2 } as Store)", ["size@1:5", "size@1:34"]],
    ["function f(a: Store[]) { a = x ? [{ size: 1 }] : [] }", ["size@1:37"]],
    ["const a: Store = b ?? { 'size': 1 }", ["size@1:25"]],
    ["f({ size: 1 })", ["size@1:5"]],
    ["const a: Store | Other = { size: 1 }", ["size@1:28"]],
    ["const a: (store: Store) => Store = (store) => ({ size: 1 })", ["size@1:50"]],
    ["const a: Record<string, Store> = { b: { size: 1 } }", ["b@1:36", "b.size@1:41"]],
  ])("are uses of the members in %j", (text, wanted) => {
    expect(writes(text)).toEqual(wanted);
  });

  it.each([
    "const a = { size: 1 }",
    "const a: Store = { [size]: 1, ...rest }",
    "function* f(): Generator<Store> { return { size: 1 } }",
  ])("are none where no type is written next to %j", (text) => {
    expect(writes(text)).toEqual([]);
  });
});
