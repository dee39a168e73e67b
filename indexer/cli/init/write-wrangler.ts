/**
 * The text of a project's `wrangler.toml`, made of Treeline's own: bindings, flags and exports are the same because
 * they are the same lines. What differs is names, the Worker's file, and what only a clone needs to know. Pure.
 */
import { DOCS_ADDRESS, WORKER_PATH } from "./published-names.ts";

/** Names in Treeline's own file. */
const OWN_NAME = "treeline";
const OWN_BUCKET = "treeline-index";
const OWN_MAIN = "src/worker.ts";

/** What differs from Treeline's own file. */
export interface WorkerSettings {
  readonly name: string;
  readonly bucket: string;
  /** Account of Cloudflare; `""` = the one that whoever deploys is logged in to. */
  readonly account: string;
  readonly isPrivate: boolean;
}

/** The text. @param own Text of Treeline's own `wrangler.toml`. */
export function writeWrangler(own: string, { name, bucket, account, isPrivate }: WorkerSettings): string {
  const lines = own.replaceAll("\r\n", "\n").split("\n");
  // What the comment at the top says is about a clone.
  const top = lines.findIndex((line) => !line.startsWith("#"));
  const written = withoutEnvironments(lines.slice(top)).flatMap((line) => {
    if (line === `main = "${OWN_MAIN}"`) {
      return [`main = "${WORKER_PATH}"`, ...(account === "" ? [] : [`account_id = "${account}"`])];
    }
    return [
      line
        .replace(new RegExp(`^(\\s*name = ")${OWN_NAME}(-[\\w-]+)?"$`), `$1${name}$2"`)
        .replace(new RegExp(`^(\\s*bucket_name = ")${OWN_BUCKET}(-[\\w-]+)?"$`), `$1${bucket}$2"`)
        .replace(/^(namespace_id = ")(\d+)"$/, (_, before: string, id: string) => `${before}${namespaceOf(name, id)}"`)
        // Treeline's documents are not in this folder.
        .replace(/(^#.*?)\bdocs\/([\w-]+\.md)/, `$1${DOCS_ADDRESS}/$2`),
    ];
  });
  const head = "# The Worker that answers from this project's index. `npx treeline deploy` brings it to Cloudflare.";
  return withAccess([head, ...written].join("\n"), isPrivate);
}

/** Further deployments are left out, with what is said about them: each would need to be private for itself. */
function withoutEnvironments(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => /^\[+env\./.test(line));
  if (first < 0) return [...lines];
  const end = lines.slice(0, first).findLastIndex((line) => !line.startsWith("#"));
  return [
    ...lines
      .slice(0, end + 1)
      .join("\n")
      .trimEnd()
      .split("\n"),
    "",
  ];
}

/** Rate limits of an account with the same number count together, so that of each Worker is its own. */
function namespaceOf(name: string, id: string): string {
  if (name === OWN_NAME) return id;
  // FNV-1a; five digits in front of the number that tells the limits of one Worker apart.
  let hash = 0x811c9dc5;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) as number), 0x01000193);
  return `${10_000 + ((hash >>> 0) % 90_000)}${id.slice(-1)}`;
}

/** Whether the deployment is private stands among its variables. */
function withAccess(text: string, isPrivate: boolean): string {
  if (!isPrivate) return text;
  const setting = `# Nobody is answered without a key: ${DOCS_ADDRESS}/access.md\nACCESS = "private"`;
  if (/^ACCESS = /m.test(text)) return text.replace(/^ACCESS = .*$/m, setting);
  if (/^\[vars\]$/m.test(text)) return text.replace(/^\[vars\]$/m, `[vars]\n${setting}`);
  return `${text.trimEnd()}\n\n[vars]\n${setting}\n`;
}
