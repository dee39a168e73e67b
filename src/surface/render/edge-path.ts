/** A path of edges, a line a step. Over the budget its end goes. Pure. */
import type { EdgeKind } from "../../core/format/code-model.ts";
import type { AnswerForm, JsonObject } from "./answer.ts";
import { formatCount } from "./counts.ts";
import type { ShownEnd } from "./dependency-levels.ts";
import { formatKinds, formatTarget } from "./impact.ts";

/** A step. */
export interface ShownStep {
  readonly from: ShownEnd;
  readonly to: ShownEnd;
  readonly kinds: readonly EdgeKind[];
  readonly typeOnly: boolean;
}

/** An answer. */
export interface ShownPath {
  readonly from: { readonly kind: string; readonly id: string };
  readonly to: { readonly kind: string; readonly id: string };
  /** Undefined where there is no path. */
  readonly steps: readonly ShownStep[] | undefined;
}

/** `2 steps from a to b`. */
export function summarizePath({ from, to, steps }: ShownPath): string {
  const [start, end] = [formatTarget(from), formatTarget(to)];
  if (steps === undefined) return `No path was found from ${start} to ${end}`;
  if (steps.length === 0) return `${start} and ${end} hold the same: there is no step between them`;
  return `${formatCount(steps.length, "step")} from ${start} to ${end}`;
}

/** One form: a line a step. */
export function pathForms(path: ShownPath): [AnswerForm] {
  const steps = path.steps ?? [];
  return [
    {
      detail: "the first steps",
      blocks: () => steps.map(lineOf),
      joined: true,
      json: (shown) => toJson(path, shown),
      toon: (shown) => toToon(path, shown),
      keepAtLeast: 0,
    },
  ];
}

/** `src/a.ts#main -> src/b.ts#Store (instantiates)`; where a step begins inside of what the last led to, it says so. */
function lineOf({ from, to, kinds, typeOnly }: ShownStep): string {
  return `  ${from.label} -> ${to.label} (${formatKinds(kinds, typeOnly)})`;
}

function toJson({ from, to, steps }: ShownPath, shown: number): JsonObject {
  return {
    from,
    to,
    found: steps !== undefined,
    length: steps?.length ?? null,
    steps: (steps ?? []).slice(0, shown).map((step) => ({
      from: { kind: step.from.kind, id: step.from.id },
      to: { kind: step.to.kind, id: step.to.id },
      kinds: step.kinds,
      typeOnly: step.typeOnly,
    })),
  };
}

function toToon({ from, to, steps }: ShownPath, shown: number): JsonObject {
  return {
    from: from.id,
    to: to.id,
    found: steps !== undefined,
    steps: (steps ?? []).slice(0, shown).map((step) => ({
      from: step.from.label,
      to: step.to.label,
      kinds: step.kinds.join(" "),
    })),
  };
}
