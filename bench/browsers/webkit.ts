/**
 * WebKit as GTK's MiniBrowser has it, in a screen that nobody sees, spoken to by WebDriver. It is the engine of Safari, with other
 * edges: of the system, its fonts and its settings nothing is Apple's.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Actions, type Browser, chordActions, clickActions, textActions } from "./browser.ts";
import { startProgram } from "./start-program.ts";

/** Debian's package webkit2gtk-driver brings it, beside the library. */
const LIBRARIES = "/usr/lib";
/** Of the page, in pixels, at the beginning. */
const SCREEN = "1600x1200x24";

/** Where the browser of the driver is; undefined where there is none. */
export function findMiniBrowser(): string | undefined {
  const find = (folder: string, depth: number): string | undefined => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.name === "MiniBrowser" && entry.isFile()) return path;
      const isWay = entry.isDirectory() && (entry.name.startsWith("webkit") || entry.name.includes("-linux-gnu"));
      const found = isWay && depth > 0 ? find(path, depth - 1) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return find(LIBRARIES, 2);
}

/** Starts WebKit. @param environment Settings of this run. */
export async function startWebKit(
  driver: string,
  miniBrowser: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Browser> {
  const port = 20_000 + (process.pid % 20_000);
  const words = ["-a", "-s", `-screen 0 ${SCREEN}`, driver, `--port=${port}`];
  const running = startProgram("xvfb-run", words, {
    // Its sandbox needs rights that containers do not give, and there is nothing to protect from these pages.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
    // There is no graphics card to draw with.
    WEBKIT_DISABLE_COMPOSITING_MODE: "1",
    LANGUAGE: "en",
    ...environment,
  });
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as { readonly value: { readonly error?: string } | null };
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  };
  await whenListening(() => call("GET", "/status"));
  const { sessionId, capabilities } = (await call("POST", "/session", {
    capabilities: {
      alwaysMatch: {
        "webkitgtk:browserOptions": {
          binary: miniBrowser,
          args: ["--automation", "--enable-write-console-messages-to-stdout=true"],
        },
      },
    },
  })) as { readonly sessionId: string; readonly capabilities: { readonly browserVersion: string } };
  const session = `/session/${sessionId}`;
  const act = async (actions: Actions): Promise<void> => {
    await call("POST", `${session}/actions`, { actions });
  };
  return {
    name: "WebKit",
    version: capabilities.browserVersion,
    async goTo(url) {
      await call("POST", `${session}/url`, { url });
    },
    async back() {
      await call("POST", `${session}/back`, {});
    },
    async ask<Value>(expression: string) {
      const script = `const done = arguments[0]; Promise.resolve().then(() => (${expression})).then((value) => done(JSON.stringify({ value })), (error) => done(JSON.stringify({ error: String(error) })))`;
      const json = await call("POST", `${session}/execute/async`, { script, args: [] });
      const { value, error } = JSON.parse(String(json)) as { readonly value: Value; readonly error?: string };
      if (error !== undefined) throw new Error(`${expression}: ${error}`);
      return value;
    },
    press: (chord) => act(chordActions(chord)),
    type: (text) => act(textActions(text)),
    click: (x, y, held) => act(clickActions(x, y, held)),
    async resize(width, height) {
      // The window has edges of its own.
      await call("POST", `${session}/window/rect`, { width, height });
    },
    async picture() {
      return Buffer.from(String(await call("GET", `${session}/screenshot`)), "base64");
    },
    said: () => running.lines.filter((line) => line.includes("CONSOLE") && /\b(?:ERROR|WARN(?:ING)?)\b/.test(line)),
    async close() {
      await call("DELETE", session).catch(() => undefined);
      await running.stop();
    },
  };
}

/** A driver says nothing when it begins to listen. */
async function whenListening(ask: () => Promise<unknown>): Promise<void> {
  for (let left = 100; ; left--) {
    try {
      await ask();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
