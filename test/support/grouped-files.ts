/**
 * A project of four folders in three access groups, for tests of what callers see: `docs` is public, `plans` is of the group
 * `strategy`, `ledger` and `payroll` are of the group `finance`. Each is a collection of pages and one of code (`docs-code`),
 * with words, paths, symbols, facets, packages and findings of its own. The public one leads to all others.
 */

/** One folder: its access group, and a word that stands in everything that it has and nowhere else. */
export interface GroupedCollection {
  readonly name: string;
  readonly access: string;
  readonly word: string;
}

/** The folders. */
export const GROUPED: readonly GroupedCollection[] = [
  { name: "docs", access: "public", word: "Meadow" },
  { name: "plans", access: "strategy", word: "Quokka" },
  { name: "ledger", access: "finance", word: "Wombat" },
  { name: "payroll", access: "finance", word: "Numbat" },
];

/**
 * The project with some of its folders.
 *
 * @param withDoors Whether the public one names what is in the others; without, their words stand in themselves alone.
 */
export function groupedFiles(
  collections: readonly GroupedCollection[] = GROUPED,
  withDoors = true,
): Readonly<Record<string, string>> {
  const config = {
    collections: collections.flatMap(({ name, access }) => [
      { name, root: name, access },
      { name: `${name}-code`, root: name, access, kind: "code" },
    ]),
  };
  return {
    "treeline.config.json": JSON.stringify(config),
    ...Object.fromEntries(
      collections.flatMap(({ name, word }) =>
        Object.entries({ ...filesOf(word), ...(withDoors && name === "docs" ? OPEN_DOORS : {}) }).map(
          ([path, text]) => [`${name}/${path}`, text],
        ),
      ),
    ),
  };
}

/** Pages and code of the public collection that name what is behind closed doors. Their own words say so themselves. */
const OPEN_DOORS: Readonly<Record<string, string>> = {
  "doors.md": [
    "# Doors\n",
    "See [one](../plans/guide/quokka-setup.md), [two](../ledger/guide/wombat-setup.md#quokka) and",
    "[three](../payroll/nowhere.md). The function `runQuokka` and `src/numbat.ts` do the rest.\n",
  ].join("\n"),
  "src/doors.ts": [
    `import { runQuokka } from "../../plans/src/quokka.ts";`,
    `import { wombatTotal } from "@acme/wombat";`,
    "export function openDoors(): number { return runQuokka(1) + wombatTotal; }\n",
  ].join("\n"),
};

function filesOf(word: string): Readonly<Record<string, string>> {
  const low = word.toLowerCase();
  return {
    "package.json": JSON.stringify({ name: `@acme/${low}`, version: "1.0.0", main: "src/index.ts" }),
    [`guide/${low}-setup.md`]: [
      `---\ntitle: Setup of ${word}\ntype: ${low}-guide\n${low}Team: ${low}-owners\ntags: [shared, ${low}]\ncategory: ${word} Operations\n---`,
      `# Setup of ${word}\n`,
      `The install of ${word} needs the shared secret handshake. Read [the rest](${low}-usage.md) first.\n`,
      `## ${word}\n\nEvery ${word} Controller (${word.slice(0, 2).toUpperCase()}C) has a cache. See [gone](${low}-gone.md).\n`,
      `## Install\n\nRun \`run${word}\` with the install options. Common words: cache, index, release, checklist.\n`,
    ].join("\n"),
    [`guide/${low}-usage.md`]: [
      `---\ntype: ${low}-guide\ntags: [shared]\n---\n# Use of ${word}\n`,
      `The ${word} Controller is used by teams. Back to [setup](${low}-setup.md#${low}).\n`,
      `## Common\n\nThis common section stands in every collection, word for word, and ends here with the cache.\n`,
    ].join("\n"),
    // No text, so it is skipped, and the log says so.
    [`guide/${low}-broken.md`]: `# ${word}\u0000\u0000\u0000\n`,
    [`src/${low}.ts`]: [
      `import { help${word} } from "./${low}-help.ts";`,
      `import { missing } from "./${low}-missing.ts";`,
      `/** Runs the ${word}. */`,
      `export function run${word}(count: number): number { return help${word}(count) + missing; }`,
      `export class ${word}Controller { start(): number { return run${word}(2); } }`,
      `export const ${low}Total = 3;\n`,
    ].join("\n"),
    [`src/${low}-help.ts`]: [
      `import { run${word} } from "./${low}.ts";`,
      `export function help${word}(count: number): number { return count > 9 ? run${word}(0) : count; }`,
      `export function sharedHelper(): string { return "shared"; }\n`,
    ].join("\n"),
    // Beside the product: agents are told how many such files there are.
    [`src/${low}.test.ts`]: `import { run${word} } from "./${low}.ts";\nexport const aside${word} = run${word}(3); // shared okapi\n`,
    "src/index.ts": `export { run${word}, ${low}Total } from "./${low}.ts";\nexport { sharedHelper } from "./${low}-help.ts";\n`,
  };
}
