/** Nodes of the box. All text becomes text nodes: nothing is ever read as HTML. */

import { cleanText as clean } from "../../surface/render/text.ts";

const SVG = "http://www.w3.org/2000/svg";

export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Text of a document, set apart: its direction is its own and changes nothing around it. */
export function isolate(...children: readonly (Node | string)[]): HTMLElement {
  return make("bdi", {}, ...children);
}

/** The text without characters that hide words or turn them around. */
export function cleanText(text: string): string {
  return clean(text).text;
}

export function drawIcon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

export const ICONS = {
  search: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13M15.5 15.5 20 20",
  close: "M6 6l12 12M18 6 6 18",
  page: "M7 3.5h7l4 4v13H7zM14 3.5v4h4",
  section: "M9.5 4 8 20M16 4l-1.5 16M4.5 9h16M3.5 15h16",
  star: "M12 3.6l2.6 5.3 5.8.8-4.2 4.1 1 5.8-5.2-2.7-5.2 2.7 1-5.8L3.6 9.7l5.8-.8z",
  recent: "M12 7v5l3.5 2M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17",
} as const;

/** A function that gives one sheet of these styles, made when it is first called. */
export function shareSheet(styles: string): () => CSSStyleSheet {
  let sheet: CSSStyleSheet | undefined;
  return () => {
    if (sheet === undefined) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(styles);
    }
    return sheet;
  };
}

/** Names by which pages know the element, and what its attributes say. */

export const ELEMENT_NAME = "treeline-search";
/** Attributes, each of which may change at any time. */
export const ATTRIBUTES: readonly string[] = [
  "src",
  "mode",
  "collections",
  "facets",
  "lang",
  "placeholder",
  "label",
  "hotkeys",
  "links",
  "target",
  "theme",
];

export interface Store {
  /** Gives `localStorage`, or nothing. May throw whatever it is asked. */
  readonly open: () => Pick<Storage, "getItem" | "setItem">;
  /** Address of what answers; `""` where the page itself does. */
  readonly source: () => string;
}

/** A list that the browser keeps for what answers. @param name `""` for the first of its lists. */
export function keepList<T>({ open, source }: Store, name: string, limit: number, isKept: (one: unknown) => one is T) {
  const key = (): string => [ELEMENT_NAME, name, source()].filter((part) => part !== "").join(" ");
  return {
    /** Undefined where nothing is kept here. */
    list(): readonly T[] | undefined {
      try {
        const kept: unknown = JSON.parse(open().getItem(key()) ?? "[]");
        return Array.isArray(kept) ? kept.filter(isKept).slice(0, limit) : [];
      } catch (error) {
        return error instanceof SyntaxError ? [] : undefined;
      }
    },
    /** Gives what is kept then. */
    keep(list: readonly T[]): readonly T[] {
      const kept = list.slice(0, limit);
      try {
        open().setItem(key(), JSON.stringify(kept));
        return kept;
      } catch {
        return [];
      }
    },
  };
}

export interface Settings {
  readonly language: string;
  readonly placeholder: string | undefined;
  readonly collections: readonly string[];
  readonly facets: readonly string[];
  /** Language and version of the page, as far as it says them. */
  readonly prefer: Readonly<Record<string, string>>;
  /** Addresses keep their path and take the page's site. */
  readonly isHere: boolean;
  readonly target: string;
  /** What a result that is kept is called. */
  readonly starred: string;
}

/*
 * Looks of the box. Colours are those of VitePress, Starlight, Docusaurus, Material for MkDocs, Furo, Nextra or mdBook where the page is
 * made by one, or follow the page's `color-scheme`; sizes are of the page's text, and not below 16 pixels.
 */

export const STYLES = `
:host{all:initial;display:inline-block;vertical-align:middle;width:var(--treeline-button-width,max(13rem,13em));max-width:100%;height:max(2.5rem,2.5em);font-family:inherit;color:inherit;color-scheme:inherit;}
[part=button],dialog{--_bg:var(--treeline-bg,var(--vp-c-bg,var(--sl-color-bg,var(--ifm-background-surface-color,var(--md-default-bg-color,var(--color-background-primary,light-dark(#fff,#1a1d23)))))));--_text:var(--treeline-text,var(--vp-c-text-1,var(--sl-color-text,var(--ifm-font-color-base,var(--md-typeset-color,var(--color-foreground-primary,light-dark(#1c2128,#e6e9ee)))))));--_muted:var(--treeline-muted,color-mix(in srgb,var(--_text) 72%,var(--_bg)));--_line:var(--treeline-line,color-mix(in srgb,var(--_text) 20%,var(--_bg)));--_accent:var(--treeline-accent,var(--vp-c-brand-1,var(--sl-color-accent,var(--ifm-color-primary,var(--md-typeset-a-color,var(--color-brand-primary,light-dark(#0b57d0,#8ab4f8)))))));--_tint:var(--treeline-chosen,color-mix(in srgb,var(--_accent) 11%,var(--_bg)));--_mark:var(--treeline-mark,color-mix(in srgb,var(--_accent) 22%,transparent));--_radius:var(--treeline-radius,var(--ifm-global-radius,12px))}
:host([hidden]){display:none}
:host([theme=light]){color-scheme:light}
:host([theme=dark]){color-scheme:dark}
:host([hotkeys=off]) [part=shortcut]{display:none}
:host([floating]){position:fixed;inset-block-end:1rem;inset-inline-end:1rem;width:auto;z-index:var(--treeline-z-index,1000)}
*{box-sizing:border-box;margin:0}
[hidden]{display:none!important}
button,input,kbd{font:inherit;color:inherit;letter-spacing:inherit}
button{cursor:pointer;border:0;background:none;padding:0}
svg{width:1.25em;height:1.25em;flex:none;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
:focus-visible{outline:2px solid var(--_accent);outline-offset:2px}
input:focus-visible{outline:0}
kbd{font-size:.75em;line-height:1.5;padding:.05em .4em;border:1px solid var(--_line);border-radius:.35em;color:var(--_muted);white-space:nowrap}
[part=button]{display:flex;align-items:center;gap:.6em;width:100%;height:100%;padding:0 .75em;font-size:max(.9375rem,15px);line-height:1;font-family:var(--treeline-font,inherit);border:1px solid color-mix(in srgb,currentColor 28%,transparent);border-radius:min(var(--_radius),10px);background:color-mix(in srgb,currentColor 5%,transparent)}
[part=button]:hover{background:color-mix(in srgb,currentColor 10%,transparent)}
[part=button] kbd{color:inherit;border-color:color-mix(in srgb,currentColor 28%,transparent)}
[part=button-label]{flex:1;text-align:start;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;line-height:1.5}
:host([floating]) [part=button]{background:var(--_bg);color:var(--_text);border-color:var(--_line);box-shadow:0 2px 12px #0003}
dialog{all:initial;user-select:text;display:none;height:fit-content;color-scheme:inherit;position:fixed;inset:0;margin:min(10dvh,6em) auto auto;border:1px solid var(--_line);width:min(var(--treeline-width,44em),100vw - 2rem);max-height:min(80dvh,46em);overflow:hidden;font-size:max(1rem,16px);line-height:1.5;font-family:var(--treeline-font,inherit);color:var(--_text);background:var(--_bg);border-radius:var(--_radius);box-shadow:0 16px 48px #0005}
dialog[open]{display:flex;flex-direction:column}
dialog::backdrop{background:var(--treeline-backdrop,#0b0e1480)}
form{display:flex;align-items:center;gap:.6em;padding-inline:1em .5em;min-height:3.5em;border-block-end:1px solid var(--_line);flex:none}
form>svg{color:var(--_muted)}
input{flex:1;min-width:0;align-self:stretch;border:0;background:none;outline:0;font-size:1.0625em;text-overflow:ellipsis}
input::placeholder{color:var(--_muted);opacity:1}
form:focus-within{box-shadow:inset 0 -2px var(--_accent)}
[part=close]{display:grid;place-items:center;width:2.5em;height:2.5em;border-radius:.5em;color:var(--_muted)}
[part=close]:hover,[part=forget]:hover{background:var(--_tint);color:var(--_text)}
[part=progress]{height:2px;margin-block-start:-2px;flex:none;overflow:hidden;visibility:hidden}
[part=progress]::before{content:"";display:block;height:100%;width:30%;background:var(--_accent);animation:slide 1s infinite ease-in-out}
dialog[data-busy] [part=progress]{visibility:visible}
dialog[data-busy] form{box-shadow:none}
@keyframes slide{from{transform:translateX(-100%)}to{transform:translateX(334%)}}
[part~=chip],[part=action]{display:inline-flex;align-items:center;gap:.35em;min-height:2em;padding:0 .75em;font-size:.875em;border:1px solid var(--_line);border-radius:2em}
[part~=chip]:hover,[part=action]:hover{border-color:var(--_accent)}
[part=note]{padding:.6em 1em 0;font-size:.875em;color:var(--_muted);flex:none;overflow-wrap:anywhere}
[part=note] b{color:var(--_text)}
[part=head]{display:flex;align-items:center;justify-content:space-between;padding:.6em 1em 0;font-size:.875em;font-weight:600;color:var(--_muted);flex:none}
[part=body]{display:flex;min-height:0;overflow:hidden}
[part=body][data-recent]{overflow-y:auto;position:relative}
[part=list]{flex:1;min-width:0;overflow-y:auto;overscroll-behavior:contain;padding:.5em;scroll-padding:.5em}
[data-recent]>[part=list]{overflow:visible}
[part=body]:has([part=list]:empty){display:none}
[part~=option]{display:flex;gap:.65em;padding:.5em .6em;border-radius:.5em;color:inherit;text-decoration:none;cursor:pointer;overflow-wrap:anywhere;min-height:2.75em;position:relative;scroll-margin-block:.5em}
[part~=option]>svg{margin-block-start:.14em;color:var(--_muted)}
[aria-selected=true]{background:var(--_tint);box-shadow:inset 3px 0 var(--_accent)}
:host(:dir(rtl)) [aria-selected=true]{box-shadow:inset -3px 0 var(--_accent)}
[part~=more],[part~=recent]{align-items:center}
[part~=recent]{padding-inline-end:3em}
[part~=recent]>svg{margin:0}
[part~=recent]>bdi{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
[part=forgets]{position:absolute;inset-inline-end:.5em;padding-block:.5em}
[part=forget]{display:grid;place-items:center;width:2.75em;height:2.75em;border-radius:.5em;color:var(--_muted)}
[part=message]{padding:2em 1.5em;text-align:center;color:var(--_muted);overflow-wrap:anywhere;overflow-y:auto;display:grid;gap:.75em;justify-items:center}
[part=message] b{color:var(--_text);font-weight:600}
[part=footer]{margin-block-start:auto;display:flex;gap:1.25em;padding:.6em 1em;border-block-start:1px solid var(--_line);font-size:.8125em;color:var(--_muted);flex:none}
[part=footer] span{display:inline-flex;gap:.35em;align-items:center}
[part=status],[part=page-name]{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (hover:none) and (pointer:coarse){kbd,[part=footer]{display:none}}
@media (max-width:40rem){dialog{margin:0;inset:var(--_top,0) auto auto var(--_left,0);border:0;border-radius:0;width:var(--_width,100%);height:var(--_height,100dvh);max-height:none}[part=body]{flex:1}[part=footer]{display:none}}
@media (min-width:40.01rem){dialog[data-part]{height:100%}[data-part] [part=body]{flex:1}}
@media (max-height:20rem){form{min-height:2.75em}}
@media (prefers-contrast:more){dialog{--_muted:var(--_text);--_line:var(--_text)}}
@media (prefers-reduced-motion){[part=progress]::before{animation-duration:4s}}
@media (forced-colors:active){form:focus-within{outline:2px solid Highlight;outline-offset:-3px}[aria-selected=true]{outline:2px solid Highlight;outline-offset:-2px}}
@media print{:host,dialog{display:none!important}}
`;

const SRGB = /^color\(srgb (\S+) (\S+) (\S+)(?: \/ (\S+))?\)$/;

/** Light of a colour that was mixed in sRGB, 0 to 1; undefined where one sees through it. */
export function readLightness(color: string): number | undefined {
  const [, red, green, blue, alpha = "1"] = SRGB.exec(color) ?? [];
  if (red === undefined || Number(alpha) < 0.5) return undefined;
  return 0.2126 * Number(red) + 0.7152 * Number(green) + 0.0722 * Number(blue);
}
