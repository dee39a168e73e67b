/** A history of the project's own making: everyday edits that once made builds write everything anew. Data, and what reads it. */
import type { Edit } from "../edits.ts";
import type { History } from "./histories.ts";

/** What happens to one page. */
type Change =
  | { readonly kind: "append" | "prepend" | "write"; readonly path: string; readonly text: string }
  | { readonly kind: "replace"; readonly path: string; readonly from: string; readonly to: string }
  | { readonly kind: "delete"; readonly path: string }
  | { readonly kind: "move"; readonly path: string; readonly to: string };

const append = (path: string, text: string): Change => ({ kind: "append", path, text: `\n${text}\n` });
const prepend = (path: string, text: string): Change => ({ kind: "prepend", path, text: `${text}\n` });
const write = (path: string, text: string): Change => ({ kind: "write", path, text });
const replace = (path: string, from: string, to: string): Change => ({ kind: "replace", path, from, to });
const remove = (path: string): Change => ({ kind: "delete", path });
const move = (path: string, to: string): Change => ({ kind: "move", path, to });

/** Edits of the pages in `bench/relevance/own/docs`, in their order. */
export const SMALL_EDITS: readonly (readonly [name: string, changes: readonly Change[]])[] = [
  ["sentence", [append("guide/caching.md", "An entry that nobody asks for within an hour is dropped.")]],
  [
    "acronyms",
    [
      append("guide/csrf.md", "Pages name a Form Origin Checker Token (FOCT) in their head."),
      append("guide/caching.md", "The Least Recently Asked (LRA) entry goes first."),
    ],
  ],
  ["known acronym", [append("guide/cookies.md", "A Form Origin Checker Token (FOCT) is no cookie.")]],
  [
    "known acronyms",
    [
      append("guide/database.md", "The Least Recently Asked (LRA) one."),
      append("guide/tracing.md", "Least Recently Asked (LRA)."),
    ],
  ],
  ["nothing", []],
  ["frontmatter key", [prepend("guide/cors.md", "---\ntags: [network, safety]\ndraft: false\n---\n")]],
  ["another frontmatter key", [prepend("guide/tracing.md", "---\nsidebar_label: Traces\ntags: [network]\n---\n")]],
  [
    "stop word that scores",
    [append("guide/permissions.md", "Wills, hows and whys are `will`, `how` and `Why` in code.")],
  ],
  [
    "headings renamed",
    [
      replace("guide/routing.md", "## Order of matching", "## Which route wins"),
      replace("guide/routing.md", "## Trailing slashes", "## Slashes at the end"),
      replace("guide/csrf.md", "# Forged requests", "# Requests from other sites"),
    ],
  ],
  [
    "page added",
    [
      write(
        "guide/signed-links.md",
        "# Signed links\n\n## Expiry\n\nA link ends after an hour.\n\n## Keys\n\nSee [caching](caching.md) and [routes](routing.md#which-route-wins).\n",
      ),
    ],
  ],
  ["page deleted", [remove("guide/templates.md")]],
  ["page renamed", [move("guide/websockets.md", "guide/sockets.md")]],
  [
    "links added",
    [
      append(
        "help/faq.md",
        "Read [hooks](../reference/hooks.md#sharing-objects) and [expiry](../guide/signed-links.md#expiry).",
      ),
      append("reference/cli.md", "See also [hooks](hooks.md#sharing-objects)."),
    ],
  ],
  [
    "links broken",
    [replace("reference/hooks.md", "## Sharing objects", "## Objects for all"), remove("guide/signed-links.md")],
  ],
  [
    "links mended",
    [
      replace("help/faq.md", "hooks.md#sharing-objects", "hooks.md#objects-for-all"),
      replace("reference/cli.md", "hooks.md#sharing-objects", "hooks.md#objects-for-all"),
      write("guide/signed-links.md", "# Links with a signature\n\n## Expiry\n\nA link ends after a day.\n"),
    ],
  ],
  [
    "same sentence in five pages",
    ["docker", "kubernetes", "tls", "workers", "health-checks"].map((name) =>
      append(`deploy/${name}.md`, "Ask in the forum before you change this on a machine that serves visitors."),
    ),
  ],
  [
    "ten pages deleted",
    [
      "api-keys",
      "debugging",
      "hot-reload",
      "install",
      "logging",
      "metrics",
      "migrations",
      "secrets",
      "streaming",
      "uploads",
    ].map((name) => remove(`guide/${name}.md`)),
  ],
  ["sentence after all", [append("guide/sessions.md", "A session without an owner ends at midnight.")]],
];

/** The history that these edits make of some pages; those that they are about have paths that start with `prefix`. */
export function makeSmallHistory(base: ReadonlyMap<string, string>, prefix: string): History {
  return {
    base,
    *edits() {
      const pages = new Map(base);
      for (const [name, list] of SMALL_EDITS) yield { name, changes: applyChanges(pages, list, prefix) };
    },
  };
}

function applyChanges(pages: Map<string, string>, list: readonly Change[], prefix: string): Edit["changes"] {
  const changes = new Map<string, string | undefined>();
  const set = (path: string, text: string | undefined): void => {
    changes.set(path, text);
    if (text === undefined) pages.delete(path);
    else pages.set(path, text);
  };
  for (const change of list) {
    const path = prefix + change.path;
    const before = pages.get(path);
    if (before === undefined && change.kind !== "write") throw new Error(`there is no page ${path}`);
    const text = before ?? "";
    switch (change.kind) {
      case "append":
        set(path, text + change.text);
        break;
      case "prepend":
        set(path, change.text + text);
        break;
      case "write":
        set(path, change.text);
        break;
      case "replace":
        if (!text.includes(change.from)) throw new Error(`${path} does not hold ${change.from}`);
        set(path, text.replaceAll(change.from, change.to));
        break;
      case "delete":
        set(path, undefined);
        break;
      case "move":
        set(path, undefined);
        set(prefix + change.to, text);
        break;
    }
  }
  return changes;
}
