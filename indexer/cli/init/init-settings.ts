/**
 * What a person decides about a deployment: names, account, who may ask. Out of options, else out of the
 * `wrangler.toml` that is there already, so that a second run writes what the first did. Pure.
 */

import { InputError } from "../../../src/core/errors.ts";
import { isAccountId, isR2Bucket } from "../../publish/r2-address.ts";
import { type ProjectFolder, readTomlSettings, textOf } from "./project-files.ts";

/** Files that can be written, as `--only` names them. */
export const PARTS = ["config", "workflow", "wrangler", "gitignore"] as const;
export type Part = (typeof PARTS)[number];

/** Decisions about a deployment. */
export interface InitSettings {
  readonly name: string;
  readonly bucket: string;
  /** `""` where it is not known yet. */
  readonly account: string;
  readonly isPrivate: boolean;
}

/** Decisions, as far as they are made. */
export type GivenSettings = { readonly [K in keyof InitSettings]?: InitSettings[K] | undefined };

/** What an earlier run decided; nothing where `wrangler.toml` is none of Treeline's. */
export function readEarlierSettings(project: ProjectFolder): GivenSettings {
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
export function checkSettings({ name, bucket, account }: Pick<InitSettings, "name" | "bucket" | "account">): void {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) {
    throw new InputError(
      `the name ${JSON.stringify(name)} cannot be that of a Worker: 1 to 63 lower-case letters, digits and hyphens, none of these at the ends`,
      [],
      "treeline init --name my-docs",
    );
  }
  if (!isR2Bucket(bucket)) {
    throw new InputError(
      `the name ${JSON.stringify(bucket)} cannot be that of a bucket: 3 to 63 lower-case letters, digits and hyphens, none of these at the ends`,
      [],
      "treeline init --bucket my-docs",
    );
  }
  if (account !== "" && !isAccountId(account)) {
    throw new InputError(
      `the account ${JSON.stringify(account)} is no account id: 32 hexadecimal digits, as \`npx wrangler whoami\` shows them`,
    );
  }
}
