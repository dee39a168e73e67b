/**
 * Command `dev`: builds a folder, serves it on this machine, and builds again when it changes.
 */

import { createServer } from "node:net";
import process from "node:process";
import { InputError } from "../../../src/core/errors.ts";
import { parseAccessFile } from "../../../src/surface/access/access-file.ts";
import { PUBLIC_GROUP } from "../../../src/surface/access/caller.ts";
import { KEY_HEADER, listClientGuides, oneLineSnippet } from "../../../src/surface/render/connect.ts";
import { toPrintable, UsageError } from "../../base/diagnostic.ts";
import { openDiskIndex } from "../../base/index-source.ts";
import { findPlaces, isPackaged, packageRoot } from "../../base/installation.ts";
import type { BuildSummary } from "../../index/build.ts";
import { type BuildMemory, DocumentCache } from "../../index/cache/document-cache.ts";
import { configOption, readConfigOption, readToolOptions, TOOL_OPTIONS } from "../commands/build.ts";
import { findWrangler, INSTALL_WRANGLER } from "../deploy/run-wrangler.ts";
import { readText } from "../map-files.ts";
import { type Command, EXIT, option, type Terminal } from "../run-cli.ts";
import { createFollower, createQueue, type FollowedRequest, reportFailure, watchFolder } from "./follow-folder.ts";
import { startLocalBucket } from "./local-bucket.ts";
import { LOOPBACK, startWorker } from "./worker-process.ts";

const DEFAULT_PORT = 8787;
const HIGHEST_PORT = 65_535;
export const devCommand: Command = {
  name: "dev",
  summary: "Build a folder and serve it on this machine: MCP, search, status; rebuild on change.",
  positionals: ["[dir]"],
  options: {
    config: configOption,
    ...TOOL_OPTIONS,
    port: option.text("N", `Port on 127.0.0.1; 0 takes a free one. Default ${DEFAULT_PORT}.`),
    access: option.text("FILE", "The access.json that `treeline keys` wrote: its keys open what is not public."),
    private: option.flag("Answer nobody without a key, as a private deployment does."),
    "no-watch": option.flag("Do not build again when files change."),
  },
  details: isPackaged
    ? `Without a folder it serves the one that it is called in. It needs wrangler: ${INSTALL_WRANGLER}`
    : "Without a folder it serves Treeline's own documentation. `npm start -- [dir] --port N` does the same.",
  async run(input, terminal) {
    const { positionals, text, has } = input;
    const accessFile = text("access");
    return serveFolder({
      dir: positionals[0] ?? (isPackaged ? "." : packageRoot),
      ...readConfigOption(input),
      ...readToolOptions(input),
      port: readPort(text("port")),
      watch: !has("no-watch"),
      isPrivate: has("private"),
      ...(accessFile !== undefined && { accessFile }),
      terminal,
    });
  },
};

function readPort(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= HIGHEST_PORT) return port;
  throw new UsageError(`--port must be a number from 0 to ${HIGHEST_PORT}, got ${JSON.stringify(text)}`);
}

/** Guides that are shown, and the file that a snippet belongs into; `/connect` has all of them. */
const SHOWN_GUIDES: readonly (readonly [id: string, file?: string])[] = [
  ["claude-code"],
  ["cursor", ".cursor/mcp.json"],
  ["vs-code", ".vscode/mcp.json"],
  ["inspector"],
];

/** A change to files that are not in the folder shows at the next build. */
interface ServeOptions extends FollowedRequest {
  /** 0 takes a free one. */
  readonly port: number;
  readonly watch: boolean;
  /** Whether nobody is answered without a key. */
  readonly isPrivate: boolean;
  /** Keys that are let in: a file that `treeline keys` wrote. */
  readonly accessFile?: string;
  readonly terminal: Terminal;
}

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Serve until a signal says to stop. The result is the exit code. @throws {InputError} */
async function serveFolder(options: ServeOptions): Promise<number> {
  const { port: wantedPort, watch, isPrivate, accessFile, terminal, ...request } = options;
  const { dir } = request;
  const keys = accessFile === undefined ? undefined : await readText(accessFile);
  if (keys !== undefined) parseAccessFile(keys);
  else if (accessFile !== undefined) {
    throw new InputError(`there is no file ${JSON.stringify(accessFile)}`, [], "treeline keys add NAME --index DIR");
  }
  // Nobody should wait for a build that cannot be served.
  findWrangler();
  const port = await claimPort(wantedPort);
  const places = findPlaces(dir);
  const stopped = waitForSignal();
  // Watched from before the first build on: what changes while it runs would otherwise wait for the next change.
  let missed = false;
  let onChange = (): void => {
    missed = true;
  };
  const stopWatching = watch ? watchFolder(dir, () => onChange()).stop : () => undefined;
  const memory: BuildMemory = { cache: DocumentCache.open(places.cache) };
  const bucket = startLocalBucket(places.state);
  const follower = createFollower(request, places, memory, terminal);
  try {
    const built = await follower.start();
    terminal.warn(describeSeed(await bucket.seed(places.index, keys)));
    if (stopped.now()) return EXIT.done;

    const worker = await startWorker({ port, places, isPrivate, onError: (line) => terminal.warn(`worker: ${line}`) });
    const killWorker = (): void => worker.kill();
    process.once("exit", killWorker);
    const { documents, sections } = built;
    const closed = await listClosed(places.index, isPrivate);
    terminal.print(formatGreeting({ url: worker.url, dir, documents, sections, watching: watch, isPrivate, closed }));

    let { generation } = built;
    const queue = createQueue();
    const serve = async (next: BuildSummary | undefined): Promise<void> => {
      if (next === undefined || next.generation === generation) return;
      const seeded = await bucket.seed(places.index, keys);
      generation = next.generation;
      terminal.warn(`${describeSeed(seeded)} The new index answers now.`);
    };
    const finish = async (): Promise<void> => serve(await follower.finish());
    const rebuild = async (): Promise<void> => {
      await serve(await follower.start());
      await finish();
    };
    const tryOut = (job: () => Promise<void>) => () => job().catch((error) => reportFailure(error, terminal));
    const [tryFinish, tryRebuild] = [tryOut(finish), tryOut(rebuild)];
    onChange = () => {
      follower.interrupt();
      queue(tryRebuild);
    };
    if (missed) onChange();
    else queue(tryFinish);

    const crashed = await Promise.race([stopped.signal.then(() => false), worker.ended.then(() => true)]);
    stopWatching();
    if (crashed) terminal.warn(`The Worker's process ended by itself; its output is in ${places.log}`);
    await worker.stop();
    process.off("exit", killWorker);
    return crashed ? EXIT.failed : EXIT.done;
  } finally {
    stopWatching();
    follower.interrupt();
    await bucket.close();
    memory.cache.close();
  }
}

/** Collections that this machine does not see without a key. */
async function listClosed(indexDir: string, isPrivate: boolean): Promise<readonly string[]> {
  const { collections } = await openDiskIndex(indexDir);
  return collections.flatMap(({ name, access }) => (isPrivate || access !== PUBLIC_GROUP ? [name] : []));
}

type Seeded = Awaited<ReturnType<ReturnType<typeof startLocalBucket>["seed"]>>;

function describeSeed({ uploaded, uploadedBytes, kept, removed }: Seeded): string {
  const parts = [`${uploaded} written (${Math.ceil(uploadedBytes / 1000)} kB)`, `${kept} already there`];
  if (removed > 0) parts.push(`${removed} old ones removed`);
  return `Local R2: ${parts.join(", ")}.`;
}

/** The first signal to stop. A second one ends this process at once; its children end with it. */
function waitForSignal(): { readonly signal: Promise<void>; readonly now: () => boolean } {
  let came = false;
  const signal = new Promise<void>((resolve) => {
    const onSignal = (): void => {
      if (came) process.exit(EXIT.failed);
      came = true;
      resolve();
    };
    for (const name of STOP_SIGNALS) process.on(name, onSignal);
  });
  return { signal, now: () => came };
}

interface GreetingFacts {
  readonly url: string;
  /** The folder as the user wrote it. */
  readonly dir: string;
  readonly documents: number;
  readonly sections: number;
  readonly watching: boolean;
  /** Whether nobody is answered without a key. */
  readonly isPrivate: boolean;
  /** Collections that only keys open: those that are not public, or all where the deployment is private. */
  readonly closed: readonly string[];
}
export function formatGreeting(facts: GreetingFacts): string {
  const { url, dir, documents, sections, watching, closed, isPrivate } = facts;
  return `
Treeline serves ${documents} documents (${sections} sections) of ${dir}
${closed.length === 0 ? "" : describeClosed(facts)}${isPrivate ? "" : `\nExplore it in a browser at ${url}/\nA search box for a page: <script type="module" src="${url}/search.js"></script>\n`}
  MCP      ${url}/mcp
  Search   ${url}/search?q=install
  Status   ${url}/status

Connect a client (more at ${url}/connect)
${describeClients(facts)}

${watching ? "Changes are built as they come. " : ""}Ctrl-C stops.
`;
}

function describeClients({ url, isPrivate }: GreetingFacts): string {
  const guides = listClientGuides({ origin: url, needsKey: isPrivate });
  const shown = SHOWN_GUIDES.flatMap(([id, file]) => {
    const guide = guides.find((one) => one.id === id);
    return guide === undefined ? [] : [{ guide, place: file === undefined ? "" : `in ${file}: ` }];
  });
  const width = Math.max(...shown.map(({ guide }) => guide.client.length));
  return shown
    .map(({ guide, place }) => `  ${guide.client.padEnd(width)}  ${place}${oneLineSnippet(guide)}`)
    .join("\n");
}

function describeClosed({ closed, isPrivate }: GreetingFacts): string {
  const names = closed.map(toPrintable).join(", ");
  return `
Nobody sees ${names} without a key, this machine neither: treeline keys add NAME --index DIR makes one,
--access DIR/access.json lets it in, and clients send it as the header "${KEY_HEADER}"${isPrivate ? ", as below" : ""}.
`;
}

/** A port that is free on the loopback address: the wanted one, or any where 0 is wanted. @throws {InputError} */
async function claimPort(wanted: number): Promise<number> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(wanted, LOOPBACK, resolve);
    });
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : wanted;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE") {
      throw new InputError(`port ${wanted} is in use; choose another with --port N, or stop what runs there`);
    }
    if (code === "EACCES") throw new InputError(`port ${wanted} may not be used by this user; choose one above 1023`);
    throw error;
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
