/** What the "Deploy to Cloudflare" button needs of the repository, as its documentation says. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../support/environment.ts";

const CONFIG = readFileSync(join(projectRoot, "wrangler.toml"), "utf8");
const PACKAGE = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly cloudflare: { readonly bindings: Readonly<Record<string, { readonly description: string }>> };
};

/** Values of a setting, of what is not commented out. */
function valuesOf(setting: string): string[] {
  return [...CONFIG.matchAll(new RegExp(`^${setting} = "([^"]+)"`, "gm"))].map(([, value = ""]) => value);
}

describe("the button", () => {
  it("deploys by the script that makes what is missing", () => {
    expect(PACKAGE.scripts["deploy"]).toMatch(/ deploy$/);
  });

  it("shows a description of each binding, and of no other", () => {
    const top = CONFIG.split(/^\[env\./m)[0] ?? "";
    const bindings = [...top.matchAll(/^(?:binding|name) = "([A-Z_]+)"/gm)].map(([, name = ""]) => name);
    expect(Object.keys(PACKAGE.cloudflare.bindings).sort()).toEqual(bindings.sort());
  });

  it("finds a name for the bucket of each environment", () => {
    const buckets = CONFIG.split(/^\[/m).filter((section) => /^\[(?:env\.\w+\.)?r2_buckets\]/.test(section));
    expect(buckets.length).toBeGreaterThan(1);
    expect(valuesOf("bucket_name")).toHaveLength(buckets.length);
  });

  it("asks nobody for the secret, which the script makes", () => {
    for (const file of [".dev.vars.example", ".env.example"]) expect(existsSync(join(projectRoot, file))).toBe(false);
    expect(CONFIG).not.toMatch(/^\[?secrets/m);
  });
});
