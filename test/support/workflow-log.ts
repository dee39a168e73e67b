/**
 * What a runner of GitHub Actions makes of the lines that a step prints: commands are taken out and done, secrets are
 * covered. It looks for `::name …::` at the beginning of a line, and for the older `##[name …]` anywhere in it.
 */

/** An annotation as the runner understood it. */
export interface SeenAnnotation {
  readonly level: string;
  readonly message: string;
  readonly properties: Readonly<Record<string, string>>;
}

/** What a log came to. */
export interface WorkflowLog {
  readonly take: (line: string) => void;
  /** Lines that people see. */
  readonly lines: readonly string[];
  readonly annotations: readonly SeenAnnotation[];
  readonly masks: ReadonlySet<string>;
  /** Commands that are neither annotations nor about the log itself. */
  readonly others: readonly string[];
}

const NEW_FORM = /^\s*::(?<name>[a-z-]+)(?: (?<properties>.*?))?::(?<message>.*)$/s;
const OLD_FORM = /##\[(?<name>[a-z-]+)(?: (?<properties>[^\]]*))?\](?<message>.*)$/s;
const LEVELS = new Set(["error", "warning", "notice"]);
/** Names that the runner acts on. */
const KNOWN = new Set([
  ...[...LEVELS, "debug", "group", "endgroup", "echo", "add-mask", "stop-commands"],
  ...["set-output", "save-state", "set-env", "add-path", "add-matcher", "remove-matcher"],
]);

/** A log of one step. Masks of steps before hold too. */
export function readLogLines(masks: Set<string>): WorkflowLog {
  const lines: string[] = [];
  const annotations: SeenAnnotation[] = [];
  const others: string[] = [];
  let stopped: string | undefined;
  const show = (line: string): void => {
    lines.push([...masks].reduce((text, mask) => text.replaceAll(mask, "***"), line));
  };
  const take = (line: string): void => {
    if (stopped !== undefined) {
      if (line.trimStart().startsWith(`::${stopped}::`)) stopped = undefined;
      else show(line);
      return;
    }
    const { name = "", properties = "", message = "" } = (NEW_FORM.exec(line) ?? OLD_FORM.exec(line))?.groups ?? {};
    if (!KNOWN.has(name)) show(line);
    else if (name === "stop-commands") stopped = message;
    else if (name === "add-mask") masks.add(unescapeValue(message));
    else if (LEVELS.has(name)) {
      const read = properties.split(",").flatMap((one) => {
        const at = one.indexOf("=");
        return at < 1 ? [] : [[one.slice(0, at), unescapeValue(one.slice(at + 1))] as const];
      });
      const known = Object.fromEntries(read);
      annotations.push({ level: name, message: unescapeValue(message), properties: known });
    } else others.push(line);
  };
  return { take, lines, annotations, masks, others };
}

function unescapeValue(text: string): string {
  return text
    .replaceAll("%0D", "\r")
    .replaceAll("%0A", "\n")
    .replaceAll("%3A", ":")
    .replaceAll("%2C", ",")
    .replaceAll("%25", "%");
}
