/**
 * Nearest names: examples, an oracle for the distance, and the bound on time.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nearestNames } from "../../../src/core/text/nearest.ts";
import { runs } from "../../support/runs.ts";

const KEYS = ["name", "root", "include", "exclude", "kind", "weight", "baseUrl", "version", "facets", "showMeta"];

describe("nearestNames", () => {
  test("finds a name with one typing error", () => {
    expect(nearestNames("inclde", KEYS, 1)).toEqual(["include"]);
    expect(nearestNames("wieght", KEYS, 1)).toEqual(["weight"]);
    expect(nearestNames("rooot", KEYS, 1)).toEqual(["root"]);
  });

  test("counts a swap of neighbours as one error, so short names survive it", () => {
    expect(nearestNames("knid", KEYS, 3)).toEqual(["kind"]);
  });

  test("ignores case and separators", () => {
    expect(nearestNames("base_url", KEYS, 1)).toEqual(["baseUrl"]);
    expect(nearestNames("SHOW-META", KEYS, 1)).toEqual(["showMeta"]);
  });

  test("puts an exact match before an edited one before a prefix before a substring", () => {
    expect(nearestNames("file", ["profile", "files", "fil", "filesystem", "FILE"], 5)).toEqual([
      "FILE",
      "fil",
      "files",
      "filesystem",
      "profile",
    ]);
  });

  test("gives nothing when nothing is plausible", () => {
    expect(nearestNames("xyzzy", KEYS, 3)).toEqual([]);
    expect(nearestNames("", KEYS, 3)).toEqual([]);
    expect(nearestNames("a", KEYS, 3)).toEqual([]);
    expect(nearestNames("root", KEYS, 0)).toEqual([]);
    expect(nearestNames("root", [], 3)).toEqual([]);
  });

  test("finds the same file in another folder", () => {
    const ids = ["docs:guide/install.md", "docs:guide/usage.md", "docs:api/client.md"];
    expect(nearestNames("docs:setup/install.md", ids, 1)).toEqual(["docs:guide/install.md"]);
  });

  test("names each candidate once and breaks ties the same way whatever the order", () => {
    expect(nearestNames("cat", ["bat", "car", "bat", "rat"], 5)).toEqual(["bat", "car", "rat"]);
    expect(nearestNames("cat", ["rat", "car", "bat"], 2)).toEqual(["bat", "car"]);
  });

  test("returns at most the wanted number, all of them from the given names, and the name itself first", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 12 }), { maxLength: 30 }),
        fc.string({ maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        (names, wanted, count) => {
          const found = nearestNames(wanted, names, count);
          expect(found.length).toBeLessThanOrEqual(count);
          expect(found.every((name) => names.includes(name))).toBe(true);
          expect(new Set(found).size).toBe(found.length);
          if (/^[a-z]+$/.test(wanted) && names.includes(wanted)) {
            expect(found[0]?.toLowerCase().replace(/[-_\s]+/g, "")).toBe(wanted);
          }
        },
      ),
    );
  });

  test("agrees with the plain recursive definition of the distance", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), minLength: 5, maxLength: 8 });
    fc.assert(
      fc.property(letters, letters, (wanted, name) => {
        const contained = name.includes(wanted) || wanted.includes(name);
        const plausible = contained || distance(wanted, name) <= Math.floor((wanted.length + 1) / 3);
        expect(nearestNames(wanted, [name], 1)).toEqual(plausible ? [name] : []);
      }),
      { numRuns: runs(2000) },
    );
  });

  test("gives the same answer for any order of the names", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 20 }), letters, (names, wanted) => {
        expect(nearestNames(wanted, [...names].reverse(), 3)).toEqual(nearestNames(wanted, names, 3));
      }),
    );
  });

  test("finds the one that is meant among ten thousand long names", () => {
    const names = Array.from({ length: 10_000 }, (_, n) => `docs:section-${n % 97}/part-${n % 13}/document-${n}.md`);
    const meant = names[1234] as string;
    const found = nearestNames(meant.replace("document", "documnet"), names, 5);
    expect(found).toHaveLength(5);
    expect(found[0]).toBe(meant);
  });

  // Compared letter by letter with each other, these would take hours.
  test("answers for names of a million characters", () => {
    const names = ["x".repeat(999_999), "y".repeat(1_000_000)];
    expect(nearestNames("x".repeat(1_000_000), names, 3).every((name) => names.includes(name))).toBe(true);
  });
});

/** Optimal string alignment distance, straight from its definition. */
function distance(a: string, b: string): number {
  const table: number[][] = [];
  const cell = (i: number, j: number): number => table[i]?.[j] ?? 0;
  for (let i = 0; i <= a.length; i += 1) {
    table.push([]);
    for (let j = 0; j <= b.length; j += 1) {
      let cost = i === 0 ? j : i;
      if (i > 0 && j > 0) {
        cost = Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, cell(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
          cost = Math.min(cost, cell(i - 2, j - 2) + 1);
        }
      }
      table[i]?.push(cost);
    }
  }
  return cell(a.length, b.length);
}
