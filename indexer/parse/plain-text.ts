/** A file as plain text: what is left where a stage fails on it. One section, no links, no symbols. */
import { codeLanguageOf } from "../../src/core/text/code-languages.ts";
import { countLines } from "../../src/core/text/lines.ts";
import type { CodeFile } from "../languages/base/code-file.ts";
import { countWords } from "./markdown/page-text.ts";
import type { ParsedDocument } from "./parsed-document.ts";

const NO_CODE = { namespace: "", doc: "", symbols: [], imports: [], uses: [], errors: 1, diagnostics: [] };

/** Plain document of a file; a source file keeps its language. */
export function toPlainText(path: string, text: string): { readonly parsed: ParsedDocument; readonly file?: CodeFile } {
  const title = path.slice(path.lastIndexOf("/") + 1);
  const language = codeLanguageOf(path);
  return {
    parsed: {
      title,
      description: "",
      frontmatter: {},
      bodyStartLine: 1,
      diagnostics: [],
      sections: [
        {
          level: 0,
          title,
          parent: -1,
          slugPath: "",
          anchor: "",
          startLine: 1,
          endLine: Math.max(1, countLines(text)),
          blocks: [{ kind: language === undefined ? "prose" : "code", text, line: 1 }],
          codeLanguages: [],
          links: [],
          summary: "",
          wordCount: countWords(text),
        },
      ],
    },
    ...(language !== undefined && { file: { ...NO_CODE, language } }),
  };
}
