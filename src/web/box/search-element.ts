/** The element: a button, and the dialog that it opens. What the page has put inside is shown where scripts do not run. */
import { noAnswer, type SearchClient } from "../client/search-client.ts";
import { loadEngineOf, openAtOnce } from "../load-engine.ts";
import { beginNow, keepSuccess, loadModule } from "../load-module.ts";
import { addHotkeys, isApple, removeHotkeys } from "./keyboard.ts";
import {
  ATTRIBUTES,
  drawIcon,
  ELEMENT_NAME,
  ICONS,
  make,
  readLightness,
  type Settings,
  STYLES,
  shareSheet,
} from "./make.ts";
import { createPanel } from "./panel.ts";
import { addBox, removeBox } from "./place.ts";
import { ENGLISH, loadStrings, type Strings } from "./strings.ts";

/** Keys that tell most visitors something, where the page names none. */
const USUAL_KEYS: readonly string[] = ["collection", "version", "category", "tags"];

/** What a page may have set before the element was defined. */
const PROPERTIES = ["strings", "client"] as const;

export function defineElement(): void {
  if (customElements.get(ELEMENT_NAME) === undefined) customElements.define(ELEMENT_NAME, TreelineSearch);
}

const readSheet = shareSheet(STYLES);

/** A search box. A class, because elements are. @public Declarations of the package name it. */
export class TreelineSearch extends HTMLElement {
  static readonly observedAttributes = ATTRIBUTES;
  readonly #label = make("span", { part: "button-label" });
  readonly #button: HTMLButtonElement;
  readonly #panel: ReturnType<typeof createPanel>;
  /** The client that the page has set, and the one of `src` and `mode`. */
  #given: SearchClient | undefined;
  #made: SearchClient | undefined;
  #words: Strings = ENGLISH;
  #own: Partial<Strings> = {};
  #language = "";

  constructor() {
    super();
    const shortcut = make("kbd", { part: "shortcut", "aria-hidden": "true" }, isApple() ? "⌘K" : "Ctrl K");
    this.#button = make("button", { type: "button", part: "button", "aria-haspopup": "dialog" });
    this.#button.append(drawIcon(ICONS.search), this.#label, shortcut);
    this.#button.onclick = () => this.open();
    this.#panel = createPanel({
      element: this,
      client: () => this.client,
      source: () => (this.#given === undefined ? addressOfSource(this.getAttribute("src"), import.meta.url) : ""),
      strings: () => this.strings,
      settings: () => this.#readSettings(),
    });
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [readSheet()];
    root.append(this.#button, this.#panel.dialog);
    // Somebody is about to search: by the time of the first letter all is there.
    for (const event of ["focusin", "pointerenter"]) this.addEventListener(event, () => this.#panel.prepare());
    // Before any attribute is looked at: what the page has set goes first.
    for (const name of PROPERTIES) this.#takeOver(name);
  }

  /** Where answers come from. Set, it takes the place of what `src` and `mode` say; undefined gives it back to them. */
  get client(): SearchClient {
    if (this.#given !== undefined) return this.#given;
    const [src, mode] = [this.getAttribute("src"), this.getAttribute("mode")];
    this.#made ??= chooseClient(src, mode, import.meta.url, () => this.#readLanguage());
    return this.#made;
  }

  set client(client: SearchClient | undefined) {
    this.#given = client;
    this.#panel.reset();
  }

  /** What it says. Strings that are set take the place of those of the language. */
  get strings(): Strings {
    return { ...this.#words, ...this.#own };
  }

  set strings(strings: Partial<Strings>) {
    this.#own = strings;
    this.#relabel();
  }

  open(): void {
    this.#dress();
    this.#speak();
    this.#panel.open();
  }

  close(): void {
    this.#panel.close();
  }

  /** Opens the dialog because of a key; false where nothing of the element can be seen. */
  openByKey(): boolean {
    if (!this.checkVisibility()) return false;
    this.open();
    return true;
  }

  connectedCallback(): void {
    addBox(this);
    this.#update();
  }

  disconnectedCallback(): void {
    removeBox(this);
    removeHotkeys(this);
    this.#panel.close();
  }

  attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    if (value === before) return;
    const isSource = name === "src" || name === "mode";
    if (isSource) this.#made = undefined;
    if (name === "collections" || (isSource && this.#given === undefined)) this.#panel.reset();
    if (this.isConnected) this.#update();
  }

  /** Does what attributes say now. */
  #update(): void {
    this.#listen();
    this.#dress();
    this.#speak();
    this.#relabel();
  }

  /** A property that was set before there was a setter for it. */
  #takeOver(name: (typeof PROPERTIES)[number]): void {
    if (!Object.hasOwn(this, name)) return;
    const value: unknown = this[name];
    Reflect.deleteProperty(this, name);
    Reflect.set(this, name, value);
  }

  #listen(): void {
    if (this.getAttribute("hotkeys") === "off") removeHotkeys(this);
    else addHotkeys(this);
  }

  /** Takes the colours of the page where it does not say which it has. */
  #dress(): void {
    const scheme = pickScheme(this, this.#label);
    for (const part of [this.#button, this.#panel.dialog]) part.style.colorScheme = scheme;
  }

  /** Loads the words of the page's language, as it is now. */
  #speak(): void {
    const language = this.#readLanguage();
    if (language === this.#language) return;
    this.#language = language;
    void loadStrings(language).then((words) => {
      if (language !== this.#language) return;
      this.#words = words;
      this.#relabel();
    });
  }

  #relabel(): void {
    const label = this.getAttribute("label") ?? this.strings.search;
    this.#label.textContent = label;
    this.#panel.relabel();
  }

  /** The language of what the element is in, across shadow roots. */
  #readLanguage(): string {
    for (let at: Element | undefined = this; at !== undefined; ) {
      const speaker: Element | null = at.closest("[lang]");
      if (speaker !== null) return speaker.getAttribute("lang") ?? "";
      const root: Node = at.getRootNode();
      at = root instanceof ShadowRoot ? root.host : undefined;
    }
    return "";
  }

  #readSettings(): Settings {
    const list = (name: string): readonly string[] | undefined =>
      this.getAttribute(name)
        ?.split(/[\s,]+/)
        .filter((word) => word !== "");
    const language = this.#readLanguage();
    const version = readVersion(this);
    return {
      language: this.#language,
      placeholder: this.getAttribute("placeholder") ?? undefined,
      collections: list("collections") ?? [],
      facets: list("facets") ?? USUAL_KEYS,
      prefer: { ...(language !== "" && { language }), ...(version !== "" && { version }) },
      isHere: this.getAttribute("links") === "here",
      target: this.getAttribute("target") ?? "",
      starred: this.strings.favourites,
    };
  }
}

/** The version that the page is of: of the element around the box that names one, or as generators write it for crawlers. */
function readVersion(element: Element): string {
  const own = element.closest("[data-treeline-version]")?.getAttribute("data-treeline-version");
  const meta = document.querySelector("meta[name='docsearch:version'],meta[name=docusaurus_version]");
  return (own ?? meta?.getAttribute("content") ?? "").split(",")[0]?.trim() ?? "";
}

/** Whether a Worker hands this script out, set when it is bundled: then a Worker answers where nothing else is said. */
declare const SERVED_BY_WORKER: boolean;

/** Address of what answers: what the attribute `src` says (null for none), else what lies beside the script. */
function addressOfSource(src: string | null, script: string): string {
  const isAddress = src !== null && URL.canParse(src, document.baseURI);
  return (isAddress ? new URL(src, document.baseURI) : new URL(".", script)).href;
}

/**
 * A client for the attributes `src` and `mode` of an element; null for those that it has not. It is loaded when somebody is about to
 * type: pages whose readers never search do without. Whatever its first answer needs is asked for at once then.
 *
 * @param script Address of this script.
 * @param language Language of the page, as `lang` names it.
 */
function chooseClient(src: string | null, mode: string | null, script: string, language: () => string): SearchClient {
  const address = addressOfSource(src, script);
  const isWorker = mode === null ? SERVED_BY_WORKER : mode !== "static";
  return loadLater(
    isWorker
      ? async () =>
          (
            await loadModule("./search-worker-client.js", () => import("../client/worker-client.ts"))
          ).createWorkerClient(address)
      : () => loadStaticClient(address.endsWith("/") ? address : `${address}/`, language()),
  );
}

/** The client of index files, which takes over the index that is opened while it is loaded. */
async function loadStaticClient(folder: string, language: string): Promise<SearchClient> {
  const open = beginNow(() => openAtOnce(folder, () => loadEngineOf(folder, { language })));
  const { createStaticClient } = await loadModule(
    "./search-static-client.js",
    () => import("../client/static-client.ts"),
  );
  return createStaticClient(folder, open);
}

/** A client that is loaded when it is first asked; where that fails, it is tried again. */
function loadLater(load: () => Promise<SearchClient>): SearchClient {
  const get = keepSuccess(() => load().catch(toNoAnswer));
  return {
    prepare: (options) =>
      get().then(
        (client) => client.prepare(options),
        () => undefined,
      ),
    search: async (query, options) => (await get()).search(query, options),
    home: () =>
      get().then(
        (client) => client.home?.() ?? [],
        () => [],
      ),
    suggest: async (query, options) => (await get()).suggest(query, options),
  };
}

function toNoAnswer(cause: unknown): never {
  throw noAnswer("the module that asks cannot be loaded", cause);
}

/** Below this share of light a background is dark. */
const DARK_BELOW = 0.4;

/**
 * `color-scheme` for an element; `""` where the page's own applies, as a style or as a `<meta>` that browsers go by. A page that
 * declares none is judged by its background; without one the browser's is behind it, which has the scheme of the page.
 *
 * @param probe Any element of the box without a colour of its own: browsers give colours back as they are written, in any
 * of many ways, but mixed ones in one.
 */
function pickScheme(element: HTMLElement, probe: HTMLElement): string {
  const theme = element.getAttribute("theme");
  if (theme === "light" || theme === "dark") return "";
  const root = document.documentElement;
  if (getComputedStyle(root).colorScheme !== "normal") return "";
  for (const page of [document.body, root]) {
    const color = getComputedStyle(page).backgroundColor;
    probe.style.color = `color-mix(in srgb,${color},${color})`;
    const lightness = readLightness(getComputedStyle(probe).color);
    probe.style.color = "";
    if (lightness !== undefined) return lightness < DARK_BELOW ? "dark" : "light";
  }
  return "";
}
