/** Results as lines, as a Markdown table, and as a list of misses with the command that shows each again. */
import { isGood, isMet, type Outcome, type TreeResult } from "./tree-result.ts";

const CHECKS = [
  "outlines",
  "symbols",
  "titles",
  "references",
  "rename",
  "grep",
  "base",
  "battery",
  "budget",
  "charge",
  "files",
  "time",
  "memory",
];
const SHOWN_MISSES = 12;
const MAX_REASON = 200;

/** `ok zod (829 documents, 22 s)`, `FAILED zod (symbols 47/50)`, `skipped zod (reason)`. */
export function formatLine(result: TreeResult): string {
  const { name, skipped, outcomes, build } = result;
  if (skipped !== undefined) return `skipped ${name} (${skipped.replace(/\s+/g, " ").slice(0, MAX_REASON)})`;
  const size =
    build === undefined
      ? []
      : [`${build.documents} documents`, `${build.seconds.toFixed(1)} s`, `${build.peakMb.toFixed(0)} MB`];
  const failed = outcomes.filter((outcome) => !isMet(outcome)).map(formatOutcome);
  if (isGood(result)) return `ok ${name} (${size.join(", ")})`;
  return `FAILED ${name} (${[...failed, ...size].join(", ")})`;
}

function formatOutcome({ check, passed, of }: Outcome): string {
  return `${check} ${passed}/${of}`;
}

/** The whole report as Markdown, and its misses alone. */
export function formatReport(results: readonly TreeResult[]): { readonly whole: string; readonly misses: string } {
  const sorted = [...results].sort((a, b) => (a.name < b.name ? -1 : 1));
  const misses = sorted.flatMap(formatMisses).join("\n");
  const whole = [formatTable(sorted), formatTotals(sorted), misses].filter((part) => part !== "").join("\n\n");
  return { whole, misses };
}

function formatTable(results: readonly TreeResult[]): string {
  const head = [
    "tree",
    "kinds",
    "version",
    "files",
    "docs",
    "skipped",
    "symbols",
    "errors",
    "s",
    "CPU s",
    "MB",
    ...CHECKS,
  ];
  return [head, head.map(() => "---"), ...results.map(toRow)].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function toRow({ name, kinds, version, build, outcomes, skipped, scanner }: TreeResult): string[] {
  if (skipped !== undefined) return [name, kinds.join(" "), version, "not here"];
  const sizes = build && [build.files, build.documents, build.skipped, build.symbols, build.errors];
  const costs = build && [build.seconds.toFixed(1), build.cpuSeconds.toFixed(1), build.peakMb.toFixed(0)];
  const cells = CHECKS.map((name) => {
    const outcome = outcomes.find(({ check }) => check === name);
    if (outcome === undefined) return "";
    const shown = `${outcome.passed}/${outcome.of}${name === "grep" && scanner === "own" ? " (no rg)" : ""}`;
    return isMet(outcome) ? shown : `**${shown}**`;
  });
  const facts = [...(sizes ?? Array(5).fill("")), ...(costs ?? Array(3).fill(""))].map(String);
  return [name, kinds.join(" "), version, ...facts, ...cells];
}

function formatTotals(results: readonly TreeResult[]): string {
  const checked = results.filter(({ skipped }) => skipped === undefined);
  const good = checked.filter(isGood).length;
  const sums = [...new Set(checked.flatMap(({ outcomes }) => outcomes.map(({ check }) => check)))].map((check) => {
    const own = checked.flatMap(({ outcomes }) => outcomes.filter((outcome) => outcome.check === check));
    const sum = (pick: (outcome: Outcome) => number): number =>
      own.reduce((total, outcome) => total + pick(outcome), 0);
    return `${check} ${sum(({ passed }) => passed)}/${sum(({ of }) => of)}`;
  });
  const lines = [
    `${good} of ${checked.length} trees are good, ${results.length - checked.length} are not here.`,
    `${sums.join(", ")}.`,
  ];
  return lines.join("\n");
}

/** Misses within a floor are listed too. */
function formatMisses({ name, outcomes }: TreeResult): string[] {
  const missed = outcomes.filter(({ misses }) => misses.length > 0);
  if (missed.length === 0) return [];
  return [
    `${name}: npm run prove:world -- ${name} --again --keep`,
    ...missed.flatMap((outcome) => [
      `  ${formatOutcome(outcome)}${isMet(outcome) ? ", within the floor" : ""}`,
      ...outcome.misses.slice(0, SHOWN_MISSES).map((miss) => `    ${miss.replace(/\n/g, "\n    ")}`),
      ...(outcome.misses.length > SHOWN_MISSES ? [`    and ${outcome.misses.length - SHOWN_MISSES} more`] : []),
    ]),
  ];
}
