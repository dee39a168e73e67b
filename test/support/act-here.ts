/** Steps of the Action's program in this process: what they print, report and give out. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { variableOf } from "../../indexer/cli/action/inputs.ts";
import { runAction } from "../../indexer/cli/action/run-action.ts";
import { parseOutputs } from "./run-action.ts";
import { type FileContents, makeFolder } from "./temporary-folder.ts";
import { readLogLines } from "./workflow-log.ts";

const PUSH = JSON.stringify({ repository: { full_name: "owner/docs", default_branch: "main" } });

/** How a step is run. */
export interface StepRun {
  /** The step that does the work when absent. */
  readonly step?: typeof runAction;
  /** A push to the default branch when absent. */
  readonly event?: string;
  readonly ref?: string;
  /** Further variables of the runner. */
  readonly more?: NodeJS.ProcessEnv;
}

/** Run a step of the Action in this process, in mode `build` and on `docs` unless inputs say otherwise. */
export async function actHere(
  workspace: string,
  given: Readonly<Record<string, string>>,
  { step = runAction, event = "push", ref = "refs/heads/main", more = {} }: StepRun = {},
) {
  const temp = await makeFolder({ "event.json": PUSH, output: "", summary: "" });
  const inputs = Object.entries({ mode: "build", root: "docs", ...given });
  const log = readLogLines(new Set());
  const code = await step(
    {
      ...Object.fromEntries(inputs.map(([name, text]) => [variableOf(name), text])),
      GITHUB_EVENT_NAME: event,
      GITHUB_EVENT_PATH: join(temp, "event.json"),
      GITHUB_OUTPUT: join(temp, "output"),
      GITHUB_REF: ref,
      GITHUB_STEP_SUMMARY: join(temp, "summary"),
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: temp,
      ...more,
    },
    (text) => {
      for (const line of text.split(/\r\n|\r|\n/)) log.take(line);
    },
  );
  const outputs = parseOutputs(await readFile(join(temp, "output"), "utf8"));
  const read = (file: string | undefined): Promise<string> => readFile(file ?? "", "utf8");
  return {
    ...{ code, log, outputs, summary: await read(join(temp, "summary")) },
    comment: (outputs["comment-file"] ?? "") === "" ? "" : await read(outputs["comment-file"]),
  };
}

/** A workspace with files in its folder `docs`. */
export async function makeDocs(files: FileContents): Promise<string> {
  return makeFolder(Object.fromEntries(Object.entries(files).map(([path, text]) => [`docs/${path}`, text])));
}
