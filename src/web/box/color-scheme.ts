/** Light or dark: what the page says, or else what it looks like. */

/** Below this share of light a background is dark. */
const DARK_BELOW = 0.4;

const SRGB = /^color\(srgb (\S+) (\S+) (\S+)(?: \/ (\S+))?\)$/;

/**
 * `color-scheme` for an element; `""` where the page's own applies, as a style or as a `<meta>` that browsers go by. A page that
 * declares none is judged by its background; without one the browser's is behind it, which has the scheme of the page.
 *
 * @param probe Any element of the box without a colour of its own: browsers give colours back as they are written, in any
 * of many ways, but mixed ones in one.
 */
export function pickScheme(element: HTMLElement, probe: HTMLElement): string {
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

/** Light of a colour that was mixed in sRGB, 0 to 1; undefined where one sees through it. */
export function readLightness(color: string): number | undefined {
  const [, red, green, blue, alpha = "1"] = SRGB.exec(color) ?? [];
  if (red === undefined || Number(alpha) < 0.5) return undefined;
  return 0.2126 * Number(red) + 0.7152 * Number(green) + 0.0722 * Number(blue);
}
