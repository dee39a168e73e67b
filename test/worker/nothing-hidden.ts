/** Addresses about each collection, asked with a credential: no answer may have a word of one that its holder does not see. */
import { expect } from "vitest";
import { GROUPED } from "../support/grouped-files.ts";
import { askAs, type Settings } from "./ask-as.ts";
import { type Credential, groupsSeen, NONE } from "./credentials.ts";
import { withoutEcho } from "./without-echo.ts";

/**
 * Ask and look at what comes: bodies and headers, without what the addresses themselves say.
 *
 * @param pathsAbout Addresses about a collection, by its name and the word that it alone has.
 * @param further Headers beside the credential's.
 */
export async function expectNothingHidden(
  settings: Settings,
  credential: Credential,
  pathsAbout: (name: string, word: string) => readonly string[],
  further: Readonly<Record<string, string>> = {},
): Promise<void> {
  const seen = groupsSeen(settings, credential);
  const hidden = GROUPED.filter((other) => !seen.includes(other.access)).map((other) => other.word.toLowerCase());
  for (const { name, word, access } of GROUPED) {
    let met = 0;
    for (const path of pathsAbout(name, word)) {
      const response = await askAs(settings, path, { headers: { ...further, ...credential.headers() } });
      const text = await response.text();
      const asked = [path, ...path.split(/[/?&=]/), ...path.split(/[/?&=+.]/)];
      const rest = withoutEcho(`${text}${JSON.stringify([...response.headers])}`, asked);
      for (const one of hidden) expect(rest, `${path}: ${text}`).not.toContain(one);
      if (response.ok && rest.includes(word.toLowerCase())) met++;
      if (response.headers.get("Cache-Control")?.includes("public")) expect(credential).toBe(NONE);
    }
    if (seen.includes(access)) expect(met).toBeGreaterThan(5);
  }
}
