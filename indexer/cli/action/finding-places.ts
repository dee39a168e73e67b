/**
 * Where in the repository a finding is: GitHub shows it at a path from the repository's top, the log knows one from its
 * collection's root.
 *
 * I/O: reads the configuration, asks git for the top.
 */

import { realpath } from "node:fs/promises";
import { posix, relative, resolve, sep } from "node:path";
import type { LoggedFinding } from "../../../src/core/format/build-log.ts";
import { SCAN_SOURCE } from "../../../src/core/format/build-log.ts";
import { OWN_TOOL } from "../../../src/surface/render/findings.ts";
import { readConfig } from "../../config/config.ts";
import { findRepository } from "../../sources/git-commit.ts";
import type { Annotation, AnnotationLevel } from "./workflow-commands.ts";

const LEVELS: Readonly<Record<LoggedFinding["severity"], AnnotationLevel>> = {
  error: "error",
  warning: "warning",
  info: "notice",
};
/** GitHub shows so many of a level for a step. */
export const MAX_ANNOTATIONS = 10;

/** The path from the repository's top of a finding; undefined where it is about no file. */
export type FilePlace = (finding: Pick<LoggedFinding, "collection" | "path">) => string | undefined;

/** What finds the paths of findings of a folder, which stands in a workspace. */
export async function placeFindings(dir: string, config: string | undefined, workspace: string): Promise<FilePlace> {
  const { config: read } = await readConfig(dir, config);
  const roots = new Map(read.collections.map(({ name, root }) => [name, root]));
  const folder = await toTop(dir, workspace);
  return ({ collection, path }) => (path === "" ? undefined : posix.join(folder, roots.get(collection) ?? ".", path));
}

/** The path from the repository's top of a folder or file in the workspace. */
export async function toTop(path: string, workspace: string): Promise<string> {
  const top = (await findRepository(workspace)) ?? workspace;
  const from = relative(await realpath(top), resolve(await realpath(workspace), relative(workspace, path)));
  return from.split(sep).join("/") || ".";
}

/** Findings as annotations, as many as GitHub shows, the worst first. */
export function annotateFindings(findings: readonly LoggedFinding[], placeOf: FilePlace): readonly Annotation[] {
  const levels = ["error", "warning", "info"] as const;
  return levels.flatMap((severity) =>
    findings
      .filter((finding) => finding.severity === severity)
      .slice(0, MAX_ANNOTATIONS)
      .map((finding) => toAnnotation(finding, placeOf(finding))),
  );
}

/** The rule of a finding, with the tool that has it where that is not Treeline. */
export function ruleOf({ code, tool = OWN_TOOL }: LoggedFinding): string {
  return tool === OWN_TOOL || tool === SCAN_SOURCE ? code : `${code} (${tool})`;
}

function toAnnotation(finding: LoggedFinding, file: string | undefined): Annotation {
  const { severity, message, line, column } = finding;
  return {
    level: LEVELS[severity],
    title: ruleOf(finding),
    message,
    ...(file !== undefined && { file, line, ...(column !== undefined && { column }) }),
  };
}
