/** Types and values of the language itself, as far as they say of which type something else is. */
import type { FunctionType, Reference, ReferenceRoot, Signatures, TypeParameter } from "../base/code-file.ts";
import type { GlobalTypes } from "../base/language.ts";

const reference = (root: ReferenceRoot): Reference => ({ root, members: [] });
const named = (name: string, ...given: readonly Reference[]): Reference => ({
  root: { kind: "free", name },
  members: [],
  ...(given.length > 0 && { arguments: given }),
});
const takes = (parameters: readonly Reference[], result: Reference, more: Partial<FunctionType> = {}): Reference =>
  reference({ kind: "function", parameters, result, ...more });
const holds = (members: Readonly<Record<string, Reference>>, more: Signatures = {}): Reference =>
  reference({
    kind: "object",
    members: Object.fromEntries(
      Object.entries(members).map(([name, type]) => [
        name,
        type.root.kind === "function" ? type : reference({ kind: "value", type }),
      ]),
    ),
    ...more,
  });

const THEN = "then";

/** Types that most programs use, with the members that say of which type something else is. */
export function makeGlobals(): GlobalTypes {
  const parameter = (number: number, preset?: Reference): TypeParameter => ({
    kind: "parameter",
    parameter: number,
    ...(preset !== undefined && { preset }),
  });
  // Parameters of types, and those of their functions.
  const [first, second, third] = [parameter(0), parameter(1), parameter(2)];
  const [T, K, U] = [first, second, third].map(reference) as [Reference, Reference, Reference];
  const unknown = reference({ kind: "unknown" });
  const list = (of: Reference): Reference => named("Array", of);
  const pair = reference({ kind: "tuple", items: [T, K] });
  const generic = { typeParameters: [third] };
  const tested = (result: Reference): Reference => takes([takes([T, unknown, list(T)], unknown)], result);
  const each = tested(unknown);
  const map = (result: Reference): Reference => takes([takes([T, unknown, list(T)], result)], list(U), generic);
  const same = takes([], list(T));
  const sorted = takes([takes([T, T], unknown)], list(T));
  const reduced = takes([takes([U, T, unknown, list(T)], U), U], U, { typeParameters: [parameter(2, T)] });
  const one = takes([], T);
  const iterated = (of: Reference): Reference => named("Iterable", of);
  const array = holds(
    {
      ...{ at: one, pop: one, shift: one, find: tested(T), findLast: tested(T), filter: tested(list(T)) },
      ...{ map: map(U), flatMap: map(reference({ kind: "either", of: [list(U), U] })) },
      ...{ forEach: each, some: each, every: each, findIndex: each, findLastIndex: each },
      ...{ reduce: reduced, reduceRight: reduced, sort: sorted, toSorted: sorted },
      ...{ slice: same, reverse: same, toReversed: same, concat: same, splice: same, with: same, fill: same },
      flat: takes(
        [],
        list(reference({ kind: "condition", check: T, extended: list(U), inferred: [2], yes: U, no: T })),
      ),
      ...{
        values: takes([], iterated(T)),
        entries: takes([], iterated(reference({ kind: "tuple", items: [unknown, T] }))),
      },
    },
    { index: T },
  );
  const [ofKeys, ofValues] = [takes([], iterated(T)), takes([], iterated(K))];
  const dictionary = holds(
    {
      ...{ get: takes([T], K), set: takes([T, K], named("Map", T, K)), keys: ofKeys, values: ofValues },
      ...{ entries: takes([], iterated(pair)), forEach: takes([takes([K, T], unknown)], unknown) },
    },
    { index: pair },
  );
  const set = holds(
    { add: takes([T], named("Set", T)), values: ofKeys, keys: ofKeys, forEach: takes([takes([T], unknown)], unknown) },
    { index: T },
  );
  const awaited = (of: Reference): Reference => named("Awaited", of);
  const promise = (of: Reference): Reference => named("Promise", of);
  const promised = holds({
    [THEN]: takes([takes([T], U), takes([unknown], unknown)], promise(U), { typeParameters: [parameter(2, T)] }),
    catch: takes([takes([unknown], unknown)], promise(T)),
    finally: takes([takes([], unknown)], promise(T)),
  });
  const iterable = holds(
    {
      ...{ map: map(U), filter: tested(iterated(T)), forEach: each, toArray: same },
      next: takes([], holds({ value: T })),
    },
    { index: T },
  );
  const condition = (check: Reference, extended: Reference, yes: Reference, no = unknown): Reference =>
    reference({ kind: "condition", check, extended, inferred: [2], yes, no });
  const anyFunction = (isMade: boolean, more: Partial<FunctionType>): Reference =>
    reference({ kind: "function", parameters: [], ...more, ...(isMade && { isMade: true }) });
  const thenable = holds({ [THEN]: takes([takes([U], unknown)], unknown) });
  const types: readonly (readonly [names: string, parameters: readonly TypeParameter[], type: Reference])[] = [
    ["Array ReadonlyArray", [first], array],
    ["Map ReadonlyMap WeakMap", [first, second], dictionary],
    ["Set ReadonlySet WeakSet", [first], set],
    ["Promise PromiseLike", [first], promised],
    [
      "Iterable Iterator IterableIterator Generator AsyncIterable AsyncIterator AsyncIterableIterator AsyncGenerator ArrayLike",
      [first],
      iterable,
    ],
    ["Partial Required Readonly NonNullable NoInfer Exclude Extract", [first], T],
    ["Pick", [first, second], reference({ kind: "mapped", of: T, key: 3, keys: K })],
    ["Omit", [first, second], reference({ kind: "mapped", of: T, key: 3, keys: K, isWithout: true })],
    ["Record", [first, second], holds({}, { index: K })],
    ["ReturnType", [first], condition(T, anyFunction(false, { result: U }), U)],
    ["InstanceType", [first], condition(T, anyFunction(true, { result: U }), U)],
    ["Parameters", [first], condition(T, anyFunction(false, { parameters: [U], isRest: true }), U)],
    ["Awaited", [first], condition(T, thenable, awaited(U), T)],
  ];
  const makes = (result: Reference, ...parameters: readonly Reference[]): Reference =>
    holds({}, { makes: [{ typeParameters: [first, second], parameters, result }] });
  const identity = takes([U], U, generic);
  const held = holds({}, { index: U });
  const all = takes(
    [U],
    promise(reference({ kind: "mapped", of: U, key: 1, type: awaited(reference({ kind: "access", of: U, key: K })) })),
    generic,
  );
  const values = {
    Map: makes(named("Map", T, K), iterated(pair)),
    WeakMap: makes(named("Map", T, K)),
    Set: makes(named("Set", T), iterated(T)),
    WeakSet: makes(named("Set", T)),
    Object: holds({
      ...{ freeze: identity, seal: identity, create: identity },
      values: takes([held], list(U), generic),
      entries: takes([held], list(reference({ kind: "tuple", items: [unknown, U] })), generic),
      assign: takes([U, T], reference({ kind: "either", of: [U, T] }), { typeParameters: [first, third] }),
    }),
    Array: holds(
      { from: takes([iterated(T), takes([T], U)], list(U), { typeParameters: [first, parameter(2, T)] }) },
      { makes: [{ typeParameters: [first], parameters: [], result: list(T) }] },
    ),
    Promise: holds(
      {
        ...{ resolve: takes([U], promise(U), generic), all, allSettled: unknown },
        ...{ race: takes([iterated(U)], promise(U), generic), any: takes([iterated(U)], promise(U), generic) },
      },
      { makes: [{ typeParameters: [first], parameters: [takes([takes([T], unknown)], unknown)], result: promise(T) }] },
    ),
  };
  return {
    types: new Map(
      types.flatMap(([names, parameters, type]) =>
        names
          .split(" ")
          .map((name) => [name, { parameters, type, ...(type === iterable && { isIterated: true as const }) }]),
      ),
    ),
    values: new Map(Object.entries(values)),
  };
}
