/**
 * Command `insights`: what callers of a deployed server asked and did not find.
 */
import { formatCount } from "../../../src/surface/render/numbers.ts";
import { cleanText } from "../../../src/surface/render/text.ts";
import { UsageError } from "../../base/usage-error.ts";
import { askServer, KEY_VARIABLE, refusalOf } from "../ask-server.ts";
import { type Command, EXIT } from "../command.ts";

/** The command. */
export const insightsCommand: Command = {
  name: "insights",
  summary: "Show what callers of a deployed server asked and did not find.",
  positionals: ["<url>"],
  options: { json: { kind: "flag", description: "Print one JSON object." } },
  details: `The server shows them to an admin key, which is taken from the environment variable ${KEY_VARIABLE}. A question is shown
when three callers or more had it on one day.`,
  async run(input, terminal) {
    const [address] = input.positionals;
    if (address === undefined) throw new UsageError("the address of a server is missing");
    const answer = await askServer(address, "/insights");
    const { status, body } = answer;
    if (status !== 200 || body === undefined || !Array.isArray(body["queries"])) throw refusalOf(answer, address);
    if (input.has("json")) {
      terminal.print(JSON.stringify(body));
      return EXIT.done;
    }
    const queries: readonly unknown[] = body["queries"];
    const lines = queries.map(describeQuery).filter((line) => line !== "");
    terminal.print(
      lines.length === 0
        ? `Nothing since ${String(body["since"])} that three callers or more had on one day.`
        : `${formatCount(lines.length, "question")} without a good answer since ${String(body["since"])}:`,
    );
    for (const line of lines) terminal.print(cleanText(line).text);
    return EXIT.done;
  },
};

/** `  23 times, 7 callers, last 2026-08-30: install on windows (nothing 20, corrected 3)`. */
function describeQuery(entry: unknown): string {
  if (typeof entry !== "object" || entry === null) return "";
  const { query, count, callers, kinds, lastSeen } = entry as Readonly<Record<string, unknown>>;
  if (typeof query !== "string" || typeof count !== "number" || typeof callers !== "number") return "";
  const list = typeof kinds === "object" && kinds !== null ? Object.entries(kinds) : [];
  const found = list.map(([kind, times]) => `${kind} ${String(times)}`).join(", ");
  return `  ${formatCount(count, "time")}, ${formatCount(callers, "caller")}, last ${String(lastSeen)}: ${query} (${found})`;
}
