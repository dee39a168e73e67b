import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GroupCode } from "../../../indexer/link/code/link-code.ts";
import { isReachAtHand, openReach, type Reach, type ReachPlace, withMembers } from "../../../src/core/code/reach.ts";
import { findImpact, findShortestPath, walkLevels } from "../../../src/core/code/walks.ts";
import { EDGE_KINDS } from "../../../src/core/format/code-model.ts";
import { kindsOfMask, maskOf, TYPE_ONLY_MASK } from "../../../src/core/format/reach-list.ts";
import { IndexReader } from "../../../src/core/index/index-reader.ts";
import { makeUpCode } from "../../support/made-up-code.ts";
import { openCode } from "../../support/open-code.ts";
import { runs } from "../../support/runs.ts";
import { firstOf, heldBy, listEdges, nameOf, scanDistance, scanImpact } from "../../support/scan-reach.ts";

interface Opened {
  readonly code: GroupCode;
  readonly places: readonly ReachPlace[];
  readonly reach: Reach;
}

async function open(seed: number, files: number, edgesPerFile: number): Promise<Opened> {
  const code = makeUpCode(seed, { files, symbolsPerFile: 5, edgesPerFile, mentions: 0 });
  const { reader } = await openCode(code);
  const places = code.files.flatMap(({ symbols }, file) =>
    [-1, ...symbols.keys()].map((symbol): ReachPlace => ({ file, symbol })),
  );
  return { code, places, reach: await openReach(reader, 0) };
}

const NO_CACHE = { get: () => undefined, set: () => undefined };
const anyGraph = fc.tuple(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 9 }), fc.nat({ max: 12 }));

/** A property of any graph, and of one place of it. */
async function holds(
  check: (reach: Reach, opened: Opened, place: ReachPlace, other: ReachPlace) => void,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(anyGraph, fc.nat(), fc.nat(), async ([seed, files, edges], draw, further) => {
      const opened = await open(seed, files, edges);
      const { places } = opened;
      const place = places[draw % places.length] as ReachPlace;
      const other = places[further % places.length] as ReachPlace;
      check(opened.reach, opened, place, other);
    }),
    { numRuns: runs(40) },
  );
}

describe("what leads where", () => {
  it("is what a scan of all edges finds", async () => {
    await holds((reach, { code }, place) => {
      const edges = listEdges(code);
      const summed = (ends: "from" | "to", others: "from" | "to") => {
        const own = edges.filter((edge) => edge[ends] === nameOf(place));
        return new Map(
          own.map((edge) => {
            const same = own.filter((one) => one[others] === edge[others]);
            const kinds = EDGE_KINDS.filter((kind) => same.some((one) => one.kind === kind));
            return [edge[others], { kinds, typeOnly: same.every(({ typeOnly }) => typeOnly) }];
          }),
        );
      };
      const linksOf = (links: ReturnType<Reach["into"]>) =>
        new Map(
          links.map((link) => [
            nameOf(link),
            { kinds: kindsOfMask(link.mask), typeOnly: (link.mask & TYPE_ONLY_MASK) !== 0 },
          ]),
        );
      expect(linksOf(reach.outOf(place))).toEqual(summed("from", "to"));
      expect(linksOf(reach.into(place))).toEqual(summed("to", "from"));
      expect(withMembers(reach, place).map(nameOf)).toEqual(heldBy(code, nameOf(place)));
      const outside = (code.edges[place.file] ?? []).flatMap(({ to }) => ("external" in to ? [to.external] : []));
      expect(new Set(reach.externalsOf(place.file))).toEqual(new Set(outside));
    });
  });

  it("counts what leads to a place by name alone", async () => {
    await holds((reach, { code }, place) => {
      const arrivals = code.edges.flatMap((list, file) =>
        list.flatMap(({ tier, from, to }) =>
          "file" in to &&
          firstOf(code, nameOf(to)) === nameOf(place) &&
          firstOf(code, nameOf({ file, symbol: from })) !== nameOf(place)
            ? [{ tier, from: firstOf(code, nameOf({ file, symbol: from })) }]
            : [],
        ),
      );
      const sure = new Set(arrivals.flatMap(({ tier, from }) => (tier === "name" ? [] : [from])));
      const guessed = new Set(arrivals.flatMap(({ tier, from }) => (tier === "name" ? [from] : [])));
      expect(reach.guessesOf(place)).toBe([...guessed].filter((from) => !sure.has(from)).length);
    });
  });
});

describe("impact", () => {
  it("is what a scan step by step finds, each place at its nearest step", async () => {
    await holds((reach, { code }, place) => {
      for (const depth of [1, 3, 10]) {
        const { affected } = findImpact(reach, [place], depth);
        const levels = new Map(affected.map((one) => [nameOf(one), `${one.level}${one.isOfTypes ? " types" : ""}`]));
        expect(levels).toEqual(scanImpact(code, [nameOf(place)], depth));
        expect(levels.size).toBe(affected.length);
      }
    });
  });
});

describe("levels of dependencies", () => {
  it("end at places that are so many steps away, and go along edges of the kinds asked for", async () => {
    await holds((reach, { code }, place) => {
      const kinds = ["calls", "type", "imports"] as const;
      const edges = listEdges(code).filter(({ kind }) => (kinds as readonly string[]).includes(kind));
      const held = (one: string) => heldBy(code, one);
      const options = { direction: "out", depth: 4, kinds: maskOf(kinds), isOfFiles: false } as const;
      const found = walkLevels(reach, [place], options);
      for (const edge of found.edges) {
        expect(kindsOfMask(edge.mask).every((kind) => (kinds as readonly string[]).includes(kind))).toBe(true);
        // The near end is reached a step before.
        expect(
          scanDistance(edges, [nameOf(place)], [nameOf(edge.from)], (one) =>
            one.endsWith("/-1") && one !== nameOf(place) ? [] : held(one),
          ),
        ).toBe(edge.level - 1);
      }
      const back = walkLevels(reach, [place], { ...options, direction: "in", depth: 1 });
      const inside = held(nameOf(place));
      const users = edges.filter(({ from, to }) => inside.includes(to) && !inside.includes(from));
      expect(new Set(back.edges.map(({ from }) => nameOf(from)))).toEqual(new Set(users.map(({ from }) => from)));
    });
  });

  it("between files are imports of files as a whole, and any edge of another kind", async () => {
    await holds((reach, { code }, place) => {
      const fileOf = (name: string): number => Number(name.split("/")[0]);
      const all = listEdges(code).filter(({ from, to }) => fileOf(from) !== fileOf(to));
      for (const [kinds, edges] of [
        [["imports", "reexports"], all.filter(({ kind, to }) => /ports$/.test(kind) && to.endsWith("/-1"))],
        [["calls"], all.filter(({ kind }) => kind === "calls")],
      ] as const) {
        const options = { direction: "out", depth: 1, kinds: maskOf(kinds), isOfFiles: true } as const;
        const found = walkLevels(reach, [place], options);
        const wanted = edges.filter(({ from }) => fileOf(from) === place.file).map(({ to }) => fileOf(to));
        expect(new Set(found.edges.map(({ to }) => to.file))).toEqual(new Set(wanted));
      }
    });
  });
});

describe("a path", () => {
  it("is as short as any, goes along edges, and is found where there is one", async () => {
    await holds((reach, { code }, place, other) => {
      const kinds = maskOf(EDGE_KINDS);
      const sure = listEdges(code);
      // What is called may be what overrides it.
      const back = sure.filter(({ kind }) => kind === "overrides" || kind === "implements");
      const edges = [...sure, ...back.map((edge) => ({ ...edge, from: edge.to, to: edge.from }))];
      const ends = heldBy(code, nameOf(other));
      const starts = heldBy(code, nameOf(place));
      const steps = findShortestPath(reach, {
        from: withMembers(reach, place),
        endAt: (one) => (ends.includes(nameOf(one)) ? one : undefined),
        kinds,
        withTypes: true,
        isOfFiles: false,
        isLeftOut: () => false,
      });
      const expand = (one: string): readonly string[] =>
        one.endsWith("/-1") && !starts.includes(one) ? [] : heldBy(code, one);
      expect(steps?.length).toBe(scanDistance(edges, starts, ends, expand));
      for (const [at, step] of (steps ?? []).entries()) {
        const around = expand(nameOf(step.from));
        expect(edges.some(({ from, to }) => around.includes(from) && to === nameOf(step.to))).toBe(true);
        const before = steps?.[at - 1];
        if (before !== undefined) expect(nameOf(step.from)).toBe(nameOf(before.to));
      }
    });
  });
});

describe("a table that is too large to be read", () => {
  it("is one above the bound, and one below it is one wave", async () => {
    const small = await openCode(makeUpCode(2, { files: 30, symbolsPerFile: 6, edgesPerFile: 10, mentions: 0 }));
    const fresh = new IndexReader(small.reader.index);
    expect(isReachAtHand(fresh)).toBe(true);
    await openReach(fresh, 0);
    expect(fresh.cost.waves).toBe(1);
    await openReach(fresh, 0);
    expect(fresh.cost.waves).toBe(1);
    const { root } = small.reader.index;
    const [shard] = root.shards;
    const entries = (shard?.tables.reach.entries ?? []).map((entry) => ({ ...entry, length: 3 * 1024 * 1024 }));
    const tables = { ...shard?.tables, reach: { height: 0, entries } };
    const large = { ...root, shards: [{ ...shard, tables }] } as typeof root;
    const reader = new IndexReader({ ...small.reader.index, root: large, cache: NO_CACHE });
    expect(isReachAtHand(reader)).toBe(false);
    await expect(openReach(reader, 0)).rejects.toThrow("too large to be walked");
  });
});
