/**
 * Tool `find_path`: the shortest way along edges from one thing to another.
 */

import { numberOfPlace, type Reach, type ReachPlace, withMembers } from "../../core/code/reach.ts";
import { findShortestPath } from "../../core/code/walks.ts";
import { EDGE_KINDS, type EdgeKind, IMPORT_KINDS } from "../../core/format/code-model.ts";
import { kindsOfMask, maskOf, TYPE_ONLY_MASK } from "../../core/format/reach-list.ts";
import { listForms } from "../../surface/render/answer.ts";
import { formatCount } from "../../surface/render/text.ts";
import {
  asideFilesOf,
  describeTarget,
  findTargets,
  formatKinds,
  formatTarget,
  nameEnd,
  nameFiles,
  placesOf,
  reachOf,
  type Target,
} from "../find-target.ts";
import { defineTool, formatExample } from "../tool.ts";

const NAME = "find_path";

/** Ways that are tried one after the other: with types, with tests and the like, and what is said of a path that is found so. */
const WAYS = [
  [false, false, ""],
  [true, false, "It goes through types or imports: nothing that runs leads there."],
  [false, true, "It goes through tests or the like: nothing of the product alone leads there."],
  [true, true, "It goes through types and through tests or the like."],
] as const;

export const findPathTool = defineTool({
  name: NAME,
  description:
    "Shortest path from one file, package or symbol to another, through what runs first, each step with its kind. Use to learn why one depends on the other; next references or read.",
  parameters: {
    from: { kind: "text", required: true, aliases: ["source", "start", "from_symbol", "from_file", "from_id"] },
    to: { kind: "text", required: true, aliases: ["target", "end", "destination", "to_symbol", "to_file", "to_id"] },
    kinds: { kind: "choices", values: EDGE_KINDS, aliases: ["kind", "edge_kinds", "types"], unlisted: true },
  },
  example: { from: "main", to: "Store.open" },
  isKept: true,
  async run({ from: fromText, to: toText, kinds }, { reader }) {
    const exampleOf = (name: string, at: number): string =>
      formatExample(NAME, at === 0 ? { from: name, to: toText } : { from: fromText, to: name });
    const { targets, packages, notes } = await findTargets(reader, [fromText, toText], exampleOf);
    const [start, end] = targets as [Target, Target];
    const reach = await reachOf(reader, start);
    // Symbols are at the ends of edges of all kinds; what only imports the file of one does not use it.
    const isOfFiles = start.kind !== "symbol" && end.kind !== "symbol";
    const isApart = (await reachOf(reader, end)).shard !== reach.shard;
    const [starts, ends] = [await placesOf(reader, start), isApart ? [] : await placesOf(reader, end)];
    const held = (places: readonly ReachPlace[]): ReachPlace[] =>
      isOfFiles ? [...places] : places.flatMap((place) => withMembers(reach, place));
    const endings = new Map(ends.flatMap((place) => holdersOf(reach, place)));
    for (const place of held(ends)) endings.set(numberOfPlace(place), place);
    const isAside = await asideFilesOf(reader, reach.shard);
    const areBeside = [...starts, ...ends].some(({ file }) => isAside(file));
    const walk = (withTypes: boolean, withTests: boolean) =>
      findShortestPath(reach, {
        from: held(starts),
        endAt: (place) => endings.get(numberOfPlace(place)),
        kinds: maskOf(kinds ?? (isOfFiles ? IMPORT_KINDS : EDGE_KINDS)),
        ...{ withTypes, isOfFiles },
        isLeftOut: ({ file }) => !withTests && isAside(file),
      });
    let found: ReturnType<typeof walk>;
    let only = "";
    for (const [withTypes, withTests, way] of WAYS) {
      if ((kinds !== undefined && !withTypes) || (areBeside && !withTests)) continue;
      found = walk(withTypes, withTests);
      only = areBeside || kinds !== undefined ? "" : way;
      if (found !== undefined) break;
    }
    const walked = found ?? [];
    const filesOf = (target: Target): number[] => (target.kind === "package" ? [] : [target.file]);
    const wanted = [
      ...filesOf(start),
      ...(isApart ? [] : filesOf(end)),
      ...walked.flatMap((one) => [one.from.file, one.to.file]),
    ];
    const names = await nameFiles(reader, reach.shard, wanted);
    const endNames = isApart && end.kind !== "package" ? await nameFiles(reader, end.shard, [end.file]) : names;
    const from = describeTarget(start, packages, names);
    const to = describeTarget(end, packages, endNames);
    const steps = walked.map((step) => ({
      from: nameEnd(names, step.from),
      to: nameEnd(names, step.to),
      kinds: kindsOfMask(step.mask),
      typeOnly: (step.mask & TYPE_ONLY_MASK) !== 0,
      isBack: step.isBack === true,
    }));
    const isFound = found !== undefined;
    const [first, last] = [formatTarget(from), formatTarget(to)];
    return {
      summary: !isFound
        ? `No path was found from ${first} to ${last}`
        : steps.length === 0
          ? `${first} and ${last} hold the same: there is no step between them`
          : `${formatCount(steps.length, "step")} from ${first} to ${last}`,
      forms: listForms(steps, [["the first steps", undefined]], {
        joined: true,
        text: (step) => `  ${step.from.label} -> ${step.to.label} (${howOf(step)})`,
        toJson: (shown) => ({
          from,
          to,
          found: isFound,
          length: isFound ? steps.length : null,
          steps: shown.map((step) => ({
            ...step,
            from: { kind: step.from.kind, id: step.from.id },
            to: { kind: step.to.kind, id: step.to.id },
          })),
        }),
        toToon: (shown) => ({
          from: from.id,
          to: to.id,
          found: isFound,
          steps: shown.map((step) => ({ from: step.from.label, to: step.to.label, kinds: step.kinds.join(" ") })),
        }),
      }),
      notes: [
        ...notes,
        ...(isFound && only !== "" ? [only] : []),
        ...(isFound ? [] : ["Guesses by name and calls through values of unknown type are left out."]),
      ],
    };
  },
});

/** What holds a place and runs what is in it, by the numbers of its places: functions around a function, objects around a member. */
function holdersOf(reach: Reach, place: ReachPlace): [number, ReachPlace][] {
  const holders: [number, ReachPlace][] = [];
  const { file } = place;
  for (let at = reach.containerOf(file, place.symbol); at >= 0; at = reach.containerOf(file, at)) {
    if (reach.natureOf(file, at) === "type") break;
    holders.push([numberOfPlace({ file, symbol: at }), place]);
  }
  return holders;
}

/** `calls`, or of a step to what a called member may be `overridden by`. */
function howOf({
  kinds,
  typeOnly,
  isBack,
}: {
  kinds: readonly EdgeKind[];
  typeOnly: boolean;
  isBack: boolean;
}): string {
  if (!isBack) return formatKinds(kinds, typeOnly);
  return kinds.includes("implements") ? "implemented by" : "overridden by";
}
