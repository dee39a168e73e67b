/** Firefox without a window, spoken to by WebDriver BiDi. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Actions, type Browser, chordActions, clickActions, textActions } from "./browser.ts";
import { startProgram } from "./start-program.ts";

/** Nothing of its own goes out, and nothing stands before the page. */
const PREFERENCES: Readonly<Record<string, boolean | number | string>> = {
  "app.update.auto": false,
  "app.normandy.enabled": false,
  "browser.aboutwelcome.enabled": false,
  "browser.chrome.site_icons": false,
  "browser.safebrowsing.downloads.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "browser.search.update": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "browser.topsites.contile.enabled": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "extensions.getAddons.cache.enabled": false,
  "extensions.systemAddon.update.enabled": false,
  // Its window counts as the one that has the focus, though no desktop says so.
  "focusmanager.testmode": true,
  "intl.accept_languages": "en-US",
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "services.settings.server": "data:,",
  "toolkit.telemetry.reportingpolicy.firstRun": false,
  // A mouse, which machines without a screen do not have: fine, and it hovers.
  "ui.primaryPointerCapabilities": 6,
  "ui.allPointerCapabilities": 6,
};

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: string;
  readonly message?: string;
}

interface LogEntry {
  readonly level: string;
  readonly text: string | null;
  readonly stackTrace?: { readonly callFrames: readonly { readonly url: string; readonly lineNumber: number }[] };
}

/** Starts Firefox. @param program Its path. @param preferences Settings of this run. */
export async function startFirefox(
  program: string,
  preferences: Readonly<Record<string, boolean | number | string>> = {},
): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), "treeline-firefox-"));
  const lines = Object.entries({ ...PREFERENCES, ...preferences }).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, "user.js"), lines.join("\n"));
  const words = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "about:blank"];
  // Containers do not give its sandbox what it needs.
  const running = startProgram(program, words, { MOZ_DISABLE_CONTENT_SANDBOX: "1" });
  const [, address] = await running.waitFor(/WebDriver BiDi listening on (ws:\S+)/);
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const waiting = new Map<number, (message: Message) => void>();
  const said: string[] = [];
  let count = 0;
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    if (message.method === "log.entryAdded") noteEntry(message.params as unknown as LogEntry, said);
  };
  const send = (method: string, params: object): Promise<Record<string, unknown>> => {
    const id = ++count;
    return new Promise((resolve, reject) => {
      waiting.set(id, ({ result, error, message }) => {
        waiting.delete(id);
        if (error === undefined) resolve(result ?? {});
        else reject(new Error(`${method}: ${error}: ${message}`));
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
  };
  const session = await send("session.new", { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
  const { browserVersion } = session["capabilities"] as { readonly browserVersion: string };
  await send("session.subscribe", { events: ["log.entryAdded"] });
  // In the tab that it begins with the address bar keeps the focus, and the Tab key goes on from there.
  const { context } = await send("browsingContext.create", { type: "tab" });
  const act = async (actions: Actions): Promise<void> => {
    await send("input.performActions", { context, actions });
  };
  return {
    name: "Firefox",
    version: browserVersion,
    async goTo(url) {
      await send("browsingContext.navigate", { context, url, wait: "complete" });
    },
    async back() {
      await send("browsingContext.traverseHistory", { context, delta: -1 });
    },
    async ask(expression) {
      // As a string, so that values come as they would as JSON.
      const json = await send("script.evaluate", {
        expression: `(async () => JSON.stringify(await (${expression})))()`,
        target: { context },
        awaitPromise: true,
        userActivation: false,
      });
      if (json["type"] === "exception") {
        throw new Error(`${expression}: ${(json["exceptionDetails"] as { readonly text: string }).text}`);
      }
      const { value } = json["result"] as { readonly value?: string };
      return value === undefined ? undefined : JSON.parse(value);
    },
    press: (chord) => act(chordActions(chord)),
    type: (text) => act(textActions(text)),
    click: (x, y, held) => act(clickActions(x, y, held)),
    async resize(width, height) {
      await send("browsingContext.setViewport", { context, viewport: { width, height } });
    },
    async picture() {
      const { data } = await send("browsingContext.captureScreenshot", { context });
      return Buffer.from(String(data), "base64");
    },
    said: () => said,
    async close() {
      socket.close();
      await running.stop();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function noteEntry({ level, text, stackTrace }: LogEntry, said: string[]): void {
  if (level !== "error" && level !== "warn") return;
  const [frame] = stackTrace?.callFrames ?? [];
  said.push(`${level}: ${text}${frame === undefined ? "" : ` (${frame.url}:${frame.lineNumber})`}`);
}
