/**
 * Type of a document from its path: `guides/install.md` is a guide, `docs/adr/0007-cache.md` an ADR.
 *
 * The file's name is the strongest sign, then its folders from the innermost out. Ordering numbers in front of names
 * (`02-guides`) do not count. What shows no sign is a `page`: a wrong type would hide it from those who filter.
 *
 * Pure: no I/O.
 */

/** Type of a document whose path shows none. */
const DEFAULT_TYPE = "page";

/** Names that give a type, as whole file names without ending, as their last word, or as folders. */
const NAMES_OF_TYPES: Readonly<Record<string, readonly string[]>> = {
  guide: ["guide", "guides", "how-to", "howto", "how-tos", "howtos"],
  tutorial: ["tutorial", "tutorials", "quickstart", "quick-start", "quickstarts", "getting-started", "walkthrough"],
  reference: ["reference", "references", "api", "apis", "api-reference", "api-docs"],
  faq: ["faq", "faqs", "frequently-asked-questions"],
  changelog: ["changelog", "changelogs", "changes", "history", "release-notes", "releases"],
  adr: ["adr", "adrs", "decisions", "decision-records", "architecture-decisions", "architecture-decision-records"],
  runbook: ["runbook", "runbooks", "playbook", "playbooks"],
  example: ["example", "examples", "sample", "samples", "recipe", "recipes", "cookbook"],
  glossary: ["glossary", "glossaries", "terminology"],
  readme: ["readme"],
  blog: ["blog", "blogs", "posts", "news"],
};

const TYPE_OF_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES_OF_TYPES).flatMap(([type, names]) => names.map((name) => [name, type] as const)),
);

/** Words that say it at the end of a longer file name, as in `migration-guide.md`. */
const TELLING_LAST_WORDS: ReadonlySet<string> = new Set([
  "guide",
  "tutorial",
  "quickstart",
  "reference",
  "faq",
  "changelog",
  "runbook",
  "playbook",
  "glossary",
]);

/** The type that a path shows, or `page`. */
export function deriveDocumentType(path: string): string {
  const segments = path.split("/").map(stripOrder);
  const file = segments.pop() ?? "";
  return typeOfFile(file) ?? typeOfFolders(segments) ?? DEFAULT_TYPE;
}

/** A type as frontmatter spells it, in the spelling of the derived ones where it is one of them. */
export function normaliseDocumentType(type: string): string {
  const lower = type.toLowerCase();
  return lower === DEFAULT_TYPE || Object.hasOwn(NAMES_OF_TYPES, lower) ? lower : type;
}

function typeOfFile(name: string): string | undefined {
  // A leading dot belongs to the name; `readme.zh-cn.md` is a readme.
  const stem = /^\.?[^.]*/.exec(name)?.[0] ?? "";
  if (/^adr[-_]?\d/.test(stem)) {
    return "adr";
  }
  const dashed = stem.replace(/[_ ]+/g, "-");
  const whole = TYPE_OF_NAME.get(dashed);
  if (whole !== undefined) {
    return whole;
  }
  const words = dashed.split("-");
  if (words[0] === "readme" || words[0] === "changelog") {
    return words[0];
  }
  const last = words.at(-1) ?? "";
  return TELLING_LAST_WORDS.has(last) ? TYPE_OF_NAME.get(last) : undefined;
}

function typeOfFolders(folders: readonly string[]): string | undefined {
  for (const folder of [...folders].reverse()) {
    const type = TYPE_OF_NAME.get(folder.replace(/[_ ]+/g, "-"));
    if (type !== undefined && type !== "readme") {
      return type;
    }
  }
  return undefined;
}

/** Lower case without an ordering number; a name that is only a number stays. */
function stripOrder(segment: string): string {
  return segment.toLowerCase().replace(/^\d{1,4}[-_. ]+(?=[^\d\s.])/, "");
}
