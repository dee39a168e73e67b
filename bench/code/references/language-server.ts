/** A language server on stdin and stdout, asked for definitions. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Answer, Place, ReferenceTruth } from "./places.ts";

/** How a server is started, and what it has to be told. */
export interface ServerSetup {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly languageId: string;
  /** Notification after which its index is whole. */
  readonly readyAfter?: string;
  /** Title of the work after which its index is whole, and a file that has to be open for it to begin. */
  readonly readyAfterWork?: string;
  readonly firstFile?: string;
  /** Whether an answer of several files is a search for the name, not what the compiler knows. */
  readonly severalIsGuess?: boolean;
  readonly initializationOptions?: unknown;
  readonly settings?: unknown;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Range {
  readonly start: { readonly line: number; readonly character: number };
}

interface Location {
  readonly uri?: string;
  readonly range?: Range;
  readonly targetUri?: string;
  readonly targetSelectionRange?: Range;
}

/** Questions on their way at once. */
const PARALLEL = 8;
/** Most milliseconds that a server may take until its index is whole. */
const READY_MS = 120_000;

/** Starts a server on a folder. */
export async function startServer(folder: string, setup: ServerSetup): Promise<ReferenceTruth> {
  const server = new Connection(setup, folder);
  await server.start(folder, setup);
  const opened = new Set<string>();
  const open = (path: string): string => {
    const uri = pathToFileURL(join(folder, path)).href;
    if (opened.has(path)) return uri;
    opened.add(path);
    const text = readFileSync(join(folder, path), "utf8");
    server.notify("textDocument/didOpen", {
      textDocument: { uri, languageId: setup.languageId, version: 1, text },
    });
    return uri;
  };
  if (setup.firstFile !== undefined) open(setup.firstFile);
  await server.ready;
  const askOne = async ({ path, line, column }: Place): Promise<Answer> => {
    const uri = open(path);
    const position = { line: line - 1, character: column - 1 };
    const answer = await server.ask("textDocument/definition", { textDocument: { uri }, position });
    const locations = (Array.isArray(answer) ? answer : answer === null ? [] : [answer]) as Location[];
    const places = locations.map(({ uri: plain, range, targetUri = plain, targetSelectionRange: at = range }) => ({
      path: relative(folder, fileURLToPath(targetUri as string)),
      line: (at?.start.line ?? 0) + 1,
      column: (at?.start.character ?? 0) + 1,
    }));
    const isGuess = setup.severalIsGuess === true && new Set(places.map((place) => place.path)).size > 1;
    return places.length === 0 || isGuess ? undefined : places;
  };
  return {
    name: setup.name,
    isTable: false,
    ask: async (places) => {
      const answers: Answer[] = new Array(places.length);
      let next = 0;
      const work = async (): Promise<void> => {
        for (let at = next++; at < places.length; at = next++) answers[at] = await askOne(places[at] as Place);
      };
      await Promise.all(Array.from({ length: PARALLEL }, work));
      return answers;
    },
    close: () => server.stop(),
  };
}

class Connection {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #settings: unknown;
  #bytes = Buffer.alloc(0);
  #next = 1;
  #onMessage: (message: Message) => void = () => undefined;
  #hasEnded = false;
  /** Resolves when the server's index is whole. */
  ready: Promise<void> = Promise.resolve();

  constructor({ command: [program = "", ...rest], env, settings }: ServerSetup, folder: string) {
    this.#settings = settings ?? {};
    this.#process = spawn(program, rest, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ["pipe", "pipe", process.env["SERVER_LOG"] === undefined ? "ignore" : "inherit"],
    });
    this.#process.stdout?.on("data", (bytes: Buffer) => this.#read(bytes));
    this.#process.on("exit", () => {
      this.#hasEnded = true;
      for (const answer of this.#waiting.values()) answer({ result: null });
    });
  }

  async start(folder: string, { initializationOptions, readyAfter, readyAfterWork }: ServerSetup): Promise<void> {
    this.ready = new Promise<void>((resolve) => {
      if (readyAfter === undefined && readyAfterWork === undefined) resolve();
      else setTimeout(resolve, READY_MS).unref();
      const works = new Map<unknown, string>();
      this.#onMessage = ({ method, params }) => {
        if (method === readyAfter && method !== undefined) resolve();
        if (method !== "$/progress") return;
        const { token, value } = params as { token: unknown; value: { kind: string; title?: string } };
        if (value.kind === "begin") works.set(token, value.title ?? "");
        if (value.kind === "end" && works.get(token) === readyAfterWork) resolve();
      };
    });
    const rootUri = pathToFileURL(folder).href;
    await this.ask("initialize", {
      processId: process.pid,
      rootUri,
      workspaceFolders: [{ uri: rootUri, name: "tree" }],
      initializationOptions,
      capabilities: {
        window: { workDoneProgress: true },
        workspace: { configuration: true, workspaceFolders: true },
        textDocument: { definition: { linkSupport: true } },
      },
    });
    this.notify("initialized", {});
  }

  async ask(method: string, params: unknown): Promise<unknown> {
    if (this.#hasEnded) throw new Error("The language server has ended");
    const id = this.#next++;
    const answer = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.#send({ id, method, params });
    const { result } = await answer;
    return result ?? null;
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  stop(): void {
    this.#process.kill();
  }

  #send(message: Message): void {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.#process.stdin?.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.#process.stdin?.write(body);
  }

  #read(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    for (;;) {
      const head = this.#bytes.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(this.#bytes.subarray(0, head).toString())?.[1]);
      const end = head + 4 + length;
      if (this.#bytes.length < end) return;
      const message = JSON.parse(this.#bytes.subarray(head + 4, end).toString()) as Message;
      this.#bytes = this.#bytes.subarray(end);
      this.#take(message);
    }
  }

  #take(message: Message): void {
    const { id, method } = message;
    if (method === undefined) {
      this.#waiting.get(id as number)?.(message);
      this.#waiting.delete(id as number);
      return;
    }
    if (id !== undefined) {
      const { items = [] } = (message.params ?? {}) as { items?: unknown[] };
      const result = method === "workspace/configuration" ? items.map(() => this.#settings) : null;
      this.#send({ id, result } as Message);
    }
    this.#onMessage(message);
  }
}
