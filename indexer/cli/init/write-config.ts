/**
 * The text of a new `treeline.config.json`: only what differs from the defaults, with comments. Pure.
 */
import type { ChosenCollection } from "./choose-collections.ts";
import { DOCS_ADDRESS, SCHEMA_ADDRESS } from "./published-names.ts";

/** The text. @param repository Web address of the repository, `""` where it is on none. */
export function writeConfig(collections: readonly ChosenCollection[], repository: string): string {
  const written =
    collections.length > 0 ? collections.map((one) => writeCollection(one, repository)) : ['    { "name": "docs" }'];
  return [
    "{",
    `  // What Treeline indexes. All keys: ${DOCS_ADDRESS}/configuration.md`,
    `  "$schema": ${JSON.stringify(SCHEMA_ADDRESS)},`,
    '  "collections": [',
    written.join(",\n"),
    "  ]",
    "}",
    "",
  ].join("\n");
}

function writeCollection(collection: ChosenCollection, repository: string): string {
  const {
    name,
    kind,
    root,
    include,
    exclude,
    weight,
    baseUrl,
    behind = "",
    version,
    anchors,
    language,
    from,
    file,
  } = collection;
  const told = file === "" ? "" : ` (${file.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?")})`;
  const entries: (readonly [key: string, value: unknown])[] = [
    ["name", name],
    ["kind", kind],
    ["root", root === "" ? undefined : root],
    ["include", include],
    ["exclude", exclude],
    ["baseUrl", baseUrl === "" ? undefined : baseUrl],
    ["version", version],
    ["anchors", anchors],
    ["language", language],
    ["weight", weight],
    ["repository", repository === "" ? undefined : repository],
  ];
  const lines = entries.flatMap(([key, value]) =>
    value === undefined ? [] : [`      "${key}": ${writeValue(value)}`],
  );
  return [
    `    // ${from}${told}`,
    "    {",
    ...(baseUrl === ""
      ? [
          `      // "baseUrl": ${JSON.stringify(`https://docs.example.com/${behind}`)}: where the pages are on the web; results then lead there.`,
        ]
      : []),
    lines.join(",\n"),
    "    }",
  ].join("\n");
}

function writeValue(value: unknown): string {
  return Array.isArray(value) ? `[${value.map((one) => JSON.stringify(one)).join(", ")}]` : JSON.stringify(value);
}
