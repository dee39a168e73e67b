/** Sources of scripts beside manifests, parsed and linked. */
import type { LinkFile } from "../../indexer/languages/base/language.ts";
import { LANGUAGES } from "../../indexer/languages/languages.ts";
import { type LinkedCode, linkCode } from "../../indexer/link/code/link-files.ts";
import { codeLanguageOf } from "../../src/core/text/code-languages.ts";

const parsers = new Map(
  await Promise.all(
    LANGUAGES.flatMap(({ parser }) => (parser === undefined ? [] : [parser])).map(
      async ({ languages, load }) => [languages, await load()] as const,
    ),
  ),
);

/** Links sources of a collection `code`, in the order of their paths. */
export function linkPackage(
  sources: Readonly<Record<string, string>>,
  manifests: Readonly<Record<string, object>>,
): LinkedCode {
  const files = Object.entries(sources)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]): LinkFile => {
      const parse = [...parsers].find(([languages]) => languages.includes(codeLanguageOf(path) as never))?.[1];
      if (parse === undefined) throw new Error(`no parser for ${path}`);
      const id = `code:${path}`;
      return { collection: "code", id, path, hash: "0".repeat(16), code: parse({ path, text }), sectionOf: () => 0 };
    });
  const texts = Object.entries(manifests).map(([path, json]) => ({
    collection: "code",
    path,
    text: JSON.stringify(json),
  }));
  return linkCode({ files, manifests: texts });
}
