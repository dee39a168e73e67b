/** A replay as Markdown: a row for each edit, and a summary. */
import { percentileOf } from "../../indexer/cli/commands/eval.ts";
import { makeTable, showBytes, showSeconds } from "../tables.ts";
import { barOf, isRewrite, type PlayedEdit } from "./play-history.ts";

const SHOWN_KINDS = 5;

/** One row a commit, the base first. */
export function showEdits(played: readonly PlayedEdit[]): string {
  const hasPeer = played.some(({ pagefind }) => pagefind !== undefined);
  return makeTable(
    [
      ...["edit", "pages", "gzip of them", "new bytes", "bar", "holds", "shards", "CPU", "memory", "most bytes in"],
      ...(hasPeer ? ["Pagefind", "its CPU"] : []),
      "built anew",
    ],
    played.map((edit) => [
      edit.name,
      String(edit.pages),
      showBytes(edit.gzipBytes),
      showBytes(edit.newBytes),
      ...(edit.at === 0 ? ["—", "—"] : [showBytes(barOf(edit)), edit.newBytes <= barOf(edit) ? "yes" : "no"]),
      String(edit.shards),
      showSeconds(edit.cost?.cpuSeconds),
      showBytes(edit.cost?.peakBytes),
      showKinds(edit),
      ...(edit.pagefind === undefined
        ? []
        : [showBytes(edit.pagefind.newBytes), showSeconds(edit.pagefind.cpuSeconds)]),
      edit.at === 0 ? "" : edit.notice === "" && isRewrite(edit) ? "more than half is new" : edit.notice,
    ]),
  );
}

function showKinds({ kinds }: PlayedEdit): string {
  const most = [...kinds].sort(([, one], [, other]) => other - one).slice(0, SHOWN_KINDS);
  return most.map(([kind, bytes]) => `${kind} ${showBytes(bytes)}`).join(", ");
}

/** Figures of all edits, without the base. */
export function showSummary(played: readonly PlayedEdit[]): string {
  const edits = played.slice(1);
  const peers = edits.flatMap(({ pagefind }) => pagefind ?? []);
  const below = edits.filter((edit) => edit.newBytes <= barOf(edit)).length;
  const rows: [string, string][] = [
    ["edits", String(edits.length)],
    ["built anew", String(edits.filter(isRewrite).length)],
    ["below the bar", `${below} of ${edits.length}`],
    ...showNumbers(
      "new bytes",
      edits.map(({ newBytes }) => newBytes),
      showBytes,
    ),
    ...showNumbers(
      "CPU",
      edits.map(({ cost }) => cost?.cpuSeconds ?? 0),
      showSeconds,
    ),
    ...showNumbers(
      "Pagefind's new bytes",
      peers.map(({ newBytes }) => newBytes),
      showBytes,
    ),
    ...showNumbers(
      "Pagefind's CPU",
      peers.map(({ cpuSeconds }) => cpuSeconds),
      showSeconds,
    ),
  ];
  return makeTable(["summary", ""], rows);
}

function showNumbers(name: string, values: readonly number[], show: (value: number) => string): [string, string][] {
  if (values.length === 0) return [];
  const sum = values.reduce((total, value) => total + value, 0);
  const all = [sum / values.length, percentileOf(values, 0.5), percentileOf(values, 1), sum];
  return [[`${name}: mean, median, worst, sum`, all.map(show).join(", ")]];
}
