/** A source file that no parser got through: without symbols, its text searchable all the same. Pure. */
import type { CodeFile } from "./code-file.ts";

/** The file, with the reason as a diagnostic. */
export function unparsedFile(path: string, language: string, code: string, message: string): CodeFile {
  return {
    language,
    namespace: "",
    doc: "",
    symbols: [],
    imports: [],
    uses: [],
    errors: 1,
    diagnostics: [{ severity: "error", code, message, path, line: 0 }],
  };
}
