/**
 * Text of others in Markdown that GitHub shows: as code, where nobody is mentioned, nothing is linked and no HTML begins.
 * Pure.
 */
import { toPrintable } from "../../base/printable.ts";

/** Longer text is cut: a summary is read at a glance. */
const MAX_TEXT_LENGTH = 300;

/** Text as a span of code, on one line. For cells of tables, too: a bar in it ends no cell. */
export function codeSpan(text: string, inTable = false): string {
  const whole = toPrintable(text.replace(/\s+/g, " ").trim());
  const cut = whole.length > MAX_TEXT_LENGTH ? `${[...whole].slice(0, MAX_TEXT_LENGTH - 1).join("")}…` : whole;
  if (cut === "") return "";
  // A span ends at the first run of as many backticks as it began with, so it begins with more than it holds.
  const longest = Math.max(0, ...[...cut.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const padded = longest > 0 ? ` ${cut} ` : cut;
  return `${fence}${inTable ? padded.replaceAll("|", "\\|") : padded}${fence}`;
}

/** A table without heads: names and what they stand for. */
export function formatTable(rows: readonly (readonly [string, string])[]): string[] {
  return ["| | |", "|---|---|", ...rows.map(([name, value]) => `| ${name} | ${value} |`)];
}
