/**
 * Command `init`: looks at a folder and writes what Treeline needs there: configuration, workflow, `wrangler.toml`,
 * lines of `.gitignore`. What a person wrote stays, unless that person agrees to each file.
 */

import { existsSync, statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline/promises";
import { InputError } from "../../../src/core/errors.ts";
import { nearestNames } from "../../../src/core/text/nearest.ts";
import { toPrintable, UsageError } from "../../base/diagnostic.ts";
import { createReadError, describeFsError, isFsError } from "../../base/file-system.ts";
import { isPackaged, packageRoot, RELEASE } from "../../base/installation.ts";
import { ACCOUNT_ID, R2_BUCKET } from "../../publish/s3.ts";
import { askGit } from "../../sources/git.ts";
import { ACCOUNT_VARIABLE, SECRET_NAMES, WRANGLER_TOML } from "../deploy/run-wrangler.ts";
import {
  DOCS_ADDRESS,
  findOtherWrangler,
  type InitSettings,
  PACKAGE_FILE,
  PARTS,
  type Part,
  type ProjectNames,
  placeWorkflow,
  planInit,
  readProjectNames,
} from "../init/plan-init.ts";
import {
  dependenciesOf,
  openProjectFolder,
  type PlannedFile,
  type ProjectFolder,
  readJsonSettings,
  readTomlSettings,
  type Settings,
  textOf,
  writePlanned,
} from "../init/project-files.ts";
import { scriptLine } from "../pages/pages.ts";
import { type Command, type CommandInput, EXIT, option, type Terminal } from "../run-cli.ts";

/** @param openQuestions Who is asked; undefined where nobody is. */
export function createInitCommand(openQuestions: () => Prompt | undefined = openPrompt): Command {
  return {
    name: "init",
    summary: "Look at a folder, and write its configuration, workflow and wrangler.toml.",
    positionals: ["[dir]"],
    options: {
      yes: option.flag("Ask nothing, take what is usual. Files that differ stay.", "y"),
      "dry-run": option.flag("Print the files, and write nothing."),
      force: option.flag("Replace files that differ; the old ones stay beside them as .bak."),
      json: option.flag("Print one JSON object, and ask nothing."),
      name: option.text("NAME", "Name of the Worker. Default: that of the project with -treeline."),
      bucket: option.text("NAME", "Name of the R2 bucket. Default: the Worker's."),
      account: option.text("ID", "Account of Cloudflare. Default: a variable of the repository."),
      private: option.flag("Nobody is answered without a key."),
      public: option.flag("Everybody is answered, also where wrangler.toml says private so far."),
      static: option.flag("For search on a static host: no Worker, no bucket, no workflow."),
      only: option.text("LIST", `Write only these: ${PARTS.join(",")}.`),
    },
    details:
      "Without --static it asks three questions at a terminal; options answer them beforehand. It changes no file that is there without consent, except that it adds lines to .gitignore. Running it again changes nothing.",
    async run(input, terminal) {
      const parts = readParts(input);
      if (input.has("private") && input.has("public")) throw new UsageError("take one of --private and --public");
      if (input.has("static") && input.has("private"))
        throw new UsageError("--static has no --private: everybody can read files of a static host");
      const dir = await openDir(input.positionals[0] ?? ".");
      const prompt = input.has("yes") || input.has("json") ? undefined : openQuestions();
      try {
        return await runInit(input, terminal, dir, parts, prompt);
      } finally {
        prompt?.close();
      }
    },
  };
}

async function runInit(
  input: CommandInput,
  terminal: Terminal,
  dir: string,
  parts: readonly Part[],
  prompt: Prompt | undefined,
): Promise<number> {
  const project = openProjectFolder(dir);
  const names = await readProjectNames(project, dir);
  const place = placeWorkflow(project, dir, names);
  const earlier = readEarlierSettings(project);
  const given = { ...earlier, bucket: earlier.bucket ?? place.bucket };
  const isStatic = input.has("static");
  const person = isStatic ? undefined : prompt && { prompt, warn: terminal.warn };
  const settings = await decide(input, given, names, person);
  checkSettings(settings);
  const plan = await planInit(project, dir, names, settings, place, parts, isStatic);
  const isDry = input.has("dry-run");
  const isJson = input.has("json");
  if (!isJson) for (const line of describePlan(plan, isDry)) terminal.print(toPrintable(line));
  if (isDry) {
    if (isJson) terminal.print(JSON.stringify(summarise(plan, [], new Map())));
    else for (const line of plan.files.flatMap(showFile)) terminal.print(line);
    return EXIT.done;
  }
  const agreed = await agree(plan.files, input.has("force"), prompt);
  const copies = await writePlanned(agreed);
  if (isJson) {
    terminal.print(JSON.stringify(summarise(plan, agreed, copies)));
    return EXIT.done;
  }
  for (const line of describeDone(plan, agreed, copies)) terminal.print(toPrintable(line));
  const manifest = project.read("package.json") === undefined ? undefined : readJsonSettings(project, "package.json");
  if (isStatic) {
    for (const line of listStaticSteps(plan, manifest, existsSync(join(dir, PACKAGE_FILE))))
      terminal.print(toPrintable(line));
    return EXIT.done;
  }
  if (agreed.length === 0) return EXIT.done;
  const hasOtherWrangler = findOtherWrangler(project) !== undefined;
  const hasPackage = existsSync(join(dir, PACKAGE_FILE));
  for (const line of listNextSteps({ ...settings, manifest, hasOtherWrangler, hasPackage, parts: plan.parts }))
    terminal.print(line);
  return EXIT.done;
}

/** Options first, then what an earlier run decided, then a person, then what is usual. */
async function decide(
  input: CommandInput,
  earlier: GivenSettings,
  names: ProjectNames,
  person: Parameters<typeof askUntil>[0],
): Promise<InitSettings> {
  const givenBucket = input.text("bucket") ?? (input.text("name") === undefined ? earlier.bucket : undefined);
  const checkName = (name: string) => checkSettings({ name, bucket: givenBucket ?? name, account: "" });
  const checkAccount = (id: string) => checkSettings({ name: "any", bucket: "any", account: id.toLowerCase() });
  const name =
    input.text("name") ??
    earlier.name ??
    (await askUntil(person, "Name of Worker and bucket", names.worker, checkName));
  const bucket = givenBucket ?? name;
  const question = "Account id of Cloudflare (empty: as a variable of the repository)";
  const id = input.text("account") ?? earlier.account ?? (await askUntil(person, question, "", checkAccount));
  const account = id.toLowerCase();
  if (input.has("private") || input.has("public")) return { name, bucket, account, isPrivate: input.has("private") };
  if (earlier.isPrivate !== undefined) return { name, bucket, account, isPrivate: earlier.isPrivate };
  const access = await askUntil(person, "Who may ask, public or private", "public", (answer) => {
    if (!/^p(ublic|rivate)$/i.test(answer))
      throw new InputError(`answer public or private, not ${JSON.stringify(answer)}`);
  });
  return { name, bucket, account, isPrivate: access.toLowerCase() === "private" };
}

/** An answer that passes the check; the question is asked again until there is one. The usual answer where nobody is asked. */
async function askUntil(
  person: { readonly prompt: Prompt; readonly warn: (line: string) => void } | undefined,
  question: string,
  usual: string,
  check: (answer: string) => void,
): Promise<string> {
  if (person === undefined) return usual;
  for (;;) {
    const answer = await person.prompt.ask(question, usual);
    try {
      check(answer);
      return answer;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      person.warn(toPrintable(error.message));
    }
  }
}

async function agree(
  files: readonly PlannedFile[],
  force: boolean,
  prompt: Prompt | undefined,
): Promise<PlannedFile[]> {
  const agreed: PlannedFile[] = [];
  for (const file of files) {
    if (file.action === "keep" || file.reason !== undefined) continue;
    if (file.action !== "differs" || force) agreed.push(file);
    else if (
      /^y(es)?$/i.test((await prompt?.ask(`${toPrintable(file.shown)} differs. Replace it? y or n`, "n")) ?? "n")
    )
      agreed.push(file);
  }
  return agreed;
}

function describePlan({ found, files, notes }: InitPlan, isDry: boolean): string[] {
  const seen = found.map(({ from, file, name, root, files: count }) => {
    const place = root === "" ? "" : ` in ${root}`;
    return `found ${from}${place}${file === "" ? "" : ` (${file})`}: collection ${name}, ${count} ${count === 1 ? "file" : "files"}`;
  });
  const planned = isDry ? files.map(({ action, shown }) => `  ${action.padEnd(8)}${shown}`) : [];
  return [...seen, ...notes.map((note) => `note: ${note}`), ...planned];
}

function describeDone(
  { files }: InitPlan,
  agreed: readonly PlannedFile[],
  copies: ReadonlyMap<string, string>,
): string[] {
  const lines = files.map((file) => {
    const copy = copies.get(file.path);
    if (copy !== undefined) return `  replaced   ${file.shown} (the old one is ${basename(copy)})`;
    if (file.action === "create") return `  created    ${file.shown}`;
    if (file.action === "append") return `  added to   ${file.shown}`;
    if (file.action === "keep") return `  unchanged  ${file.shown}`;
    return `  kept       ${file.shown}, which differs${file.reason === undefined ? ": --dry-run shows the other, --force replaces it" : ""}`;
  });
  return agreed.length === 0 && files.length > 0 ? [...lines, "nothing was changed"] : lines;
}

function showFile({ action, shown, text }: PlannedFile): string[] {
  return action === "keep" ? [] : ["", `--- ${toPrintable(shown)}`, text.trimEnd()];
}

function summarise(
  { found, files, notes }: InitPlan,
  agreed: readonly PlannedFile[],
  copies: ReadonlyMap<string, string>,
) {
  return {
    found: found.map(({ from, file, name, kind, root, files: count }) => ({
      name,
      kind: kind ?? "docs",
      root: root === "" ? "." : root,
      files: count,
      from,
      file,
    })),
    files: files.map((file) => {
      const copy = copies.get(file.path);
      return {
        path: file.shown,
        action: file.action,
        written: agreed.includes(file),
        ...(copy !== undefined && { copy: basename(copy) }),
        ...(file.reason !== undefined && { reason: file.reason }),
      };
    }),
    notes,
  };
}

function readParts(input: CommandInput): readonly Part[] {
  const list = input.text("only");
  if (list === undefined) return input.has("static") ? ["config", "gitignore"] : PARTS;
  const given = list.split(",").map((part) => part.trim());
  return given.map((part) => {
    const known = PARTS.find((one) => one === part);
    if (known !== undefined) return known;
    const [near] = nearestNames(part, PARTS, 1);
    const hint = near === undefined ? `it takes ${PARTS.join(", ")}` : `did you mean ${near}?`;
    throw new UsageError(`--only has ${JSON.stringify(part)}; ${hint}`);
  });
}

async function openDir(given: string): Promise<string> {
  const path = resolve(given);
  try {
    if (!statSync(path).isDirectory()) throw new InputError(`${JSON.stringify(given)} is a file; init takes a folder`);
    const real = await realpath(path);
    // A bare repository, or the folder .git: what is written there, no checkout shows.
    if ((await askGit(real, ["rev-parse", "--is-inside-git-dir"]))?.trim() === "true")
      throw new InputError(`${JSON.stringify(given)} holds git's own files; init takes a folder of the project`);
    return real;
  } catch (error) {
    if (!isFsError(error)) throw error;
    throw createReadError(`folder ${JSON.stringify(given)}: ${describeFsError(error)}`, error);
  }
}

interface Prompt {
  readonly ask: (question: string, usual: string) => Promise<string>;
  readonly close: () => void;
}

/** The terminal; undefined where nobody is at it. */
function openPrompt(): Prompt | undefined {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true || process.env.CI !== undefined) return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new AbortController();
  // The end of input leaves a question without an answer for ever.
  lines.once("close", () => ended.abort());
  return {
    ask: async (question, usual) => {
      const shown = usual === "" ? `${question}: ` : `${question} [${usual}]: `;
      try {
        const typed = (await lines.question(shown, { signal: ended.signal })).trim();
        return typed === "" ? usual : typed;
      } catch (error) {
        if (!ended.signal.aborted) throw error;
        process.stderr.write("\n");
        throw new InputError("not all questions were answered; nothing was written");
      }
    },
    close: () => lines.close(),
  };
}

type GivenSettings = { readonly [K in keyof InitSettings]?: InitSettings[K] | undefined };

interface StepsInput {
  readonly account: string;
  readonly isPrivate: boolean;
  /** The project's `package.json`; undefined where it has none. */
  readonly manifest: Settings | undefined;
  /** Whether wrangler would read another configuration first. */
  readonly hasOtherWrangler: boolean;
  readonly hasPackage: boolean;
  /** Files that this run was to write, as `--only` names them. */
  readonly parts: readonly Part[];
}

type Step = readonly [command: string, purpose: string];

/** Steps that install packages; until there is a release Treeline's is a file of the project. */
function listInstalls(missing: readonly string[], hasManifest: boolean, hasPackage: boolean): Step[] {
  if (missing.length === 0) return [];
  const names = missing.map((name) => (name === "treeline" && RELEASE === "" ? `./${PACKAGE_FILE}` : name));
  const pack = `npm pack ${isPackaged ? "--ignore-scripts " : ""}${JSON.stringify(packageRoot)}`;
  const install: Step = [`npm install --save-dev ${names.join(" ")}`, hasManifest ? "" : "makes a package.json, too"];
  const isPacked = hasPackage || RELEASE !== "" || !missing.includes("treeline");
  return isPacked ? [install] : [[pack, `makes ${PACKAGE_FILE}; commit it`], install];
}

function listStaticSteps({ site }: InitPlan, manifest: Settings | undefined, hasPackage: boolean): string[] {
  const missing = dependenciesOf(manifest ?? {}).has("treeline") ? [] : ["treeline"];
  const steps = listInstalls(missing, manifest !== undefined, hasPackage).map(([command]) => `  ${command}`);
  if (site?.plugin !== undefined) {
    const { module, lines } = site.plugin;
    const isImported = lines.some((line) => line.includes("treeline()"));
    const added = [...(isImported ? [`import treeline from "treeline/${module}";`] : []), ...lines];
    return [
      "next:",
      ...steps,
      `  in ${site.collection.file}:`,
      ...added.map((line) => `    ${line}`),
      `  ${site.build}`,
    ];
  }
  const { build = "build the site into DIST", output = "DIST", base = "/" } = site ?? {};
  const index = `npx treeline build${site === undefined ? ` ${output}` : ""} --out ${output}/treeline --browser`;
  const place = "  in the <head> of the site's template:";
  return ["next:", ...steps, `  ${build}`, `  ${index}`, place, `    ${scriptLine(`${base}treeline`)}`];
}

function listNextSteps({ account, isPrivate, manifest, hasOtherWrangler, hasPackage, parts }: StepsInput): string[] {
  const steps: Step[] = [];
  if (parts.includes("config") || parts.includes("wrangler")) {
    const missing = ["treeline", "wrangler"].filter((name) => !dependenciesOf(manifest ?? {}).has(name));
    steps.push(
      ...listInstalls(missing, manifest !== undefined, hasPackage),
      ["npx treeline dev", "try it on this machine"],
      ["npx treeline mcp .", `what agents on this machine start: ${DOCS_ADDRESS}/connecting.md`],
    );
  }
  if (parts.includes("wrangler")) {
    const config = hasOtherWrangler ? ` --config ${WRANGLER_TOML}` : "";
    steps.push(
      ["npx wrangler login", "once on this machine"],
      [`npx treeline deploy${config}`, "bucket, secret and Worker on Cloudflare"],
    );
    if (isPrivate) steps.push(["npx treeline keys add ME --bucket URL", `who may ask: ${DOCS_ADDRESS}/access.md`]);
  }
  if (parts.includes("workflow")) {
    const secrets = `secrets ${SECRET_NAMES.id} and ${SECRET_NAMES.secret}`;
    const variable = account === "" ? `, variable ${ACCOUNT_VARIABLE}` : "";
    steps.push(["on GitHub", `${secrets}${variable}: ${DOCS_ADDRESS}/init.md`]);
  }
  steps.push(["git add, commit, push", parts.includes("workflow") ? "the first run of the workflow publishes" : ""]);
  const width = Math.max(...steps.map(([command]) => command.length));
  return [
    "next:",
    ...steps.map(([command, purpose]) => (purpose === "" ? `  ${command}` : `  ${command.padEnd(width)}  ${purpose}`)),
  ];
}

/** What an earlier run decided; nothing where `wrangler.toml` is none of Treeline's. */
function readEarlierSettings(project: ProjectFolder): GivenSettings {
  const settings = readTomlSettings(project, "wrangler.toml");
  if (settings["r2_buckets.binding"] !== "INDEX") return {};
  return {
    name: textOf(settings.name),
    bucket: textOf(settings["r2_buckets.bucket_name"]),
    account: textOf(settings.account_id) ?? "",
    // As the Worker reads it: anything but `public` closes.
    isPrivate: (textOf(settings["vars.ACCESS"]) ?? "public").toLowerCase() !== "public",
  };
}

/** Check decisions. @throws {InputError} for what Cloudflare would refuse. */
function checkSettings({ name, bucket, account }: Pick<InitSettings, "name" | "bucket" | "account">): void {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) {
    throw new InputError(
      `the name ${JSON.stringify(name)} cannot be that of a Worker: 1 to 63 lower-case letters, digits and hyphens, none of these at the ends`,
      [],
      "treeline init --name my-docs",
    );
  }
  if (!R2_BUCKET.test(bucket)) {
    throw new InputError(
      `the name ${JSON.stringify(bucket)} cannot be that of a bucket: 3 to 63 lower-case letters, digits and hyphens, none of these at the ends`,
      [],
      "treeline init --bucket my-docs",
    );
  }
  if (account !== "" && !ACCOUNT_ID.test(account)) {
    throw new InputError(
      `the account ${JSON.stringify(account)} is no account id: 32 hexadecimal digits, as \`npx wrangler whoami\` shows them`,
    );
  }
}

/** What would be done: collections that were found, files and their parts, and notes, what a person should know, in sentences. */
type InitPlan = Readonly<Awaited<ReturnType<typeof planInit>>>;
