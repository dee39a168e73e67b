/**
 * The program `gh`, as far as the script for comments calls it: `gh api` for the comments of a pull request, kept in the file that
 * `FAKE_GH_COMMENTS` names. What it writes is written by the token of a job, as on GitHub.
 */
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { filterJson } from "./jq-filter.ts";

/** A comment, as GitHub's API gives it out. */
export interface GitHubComment {
  readonly id: number;
  readonly user: { readonly login: string };
  readonly body: string;
}

answer();

function answer(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ paginate: { type: "boolean" }, silent: { type: "boolean" } },
      ...{ method: { type: "string" }, jq: { type: "string" }, field: { type: "string" } },
    },
  });
  const [command, path = "", ...more] = positionals;
  if (command !== "api" || more.length > 0) throw new Error(`the fake knows no gh ${positionals.join(" ")}`);
  const file = process.env["FAKE_GH_COMMENTS"] ?? "";
  const comments = JSON.parse(readFileSync(file, "utf8")) as readonly GitHubComment[];
  const base = `repos/${process.env["GITHUB_REPOSITORY"]}/issues`;
  const method = values.method ?? (values.field === undefined ? "GET" : "POST");
  const known = comments.findIndex(({ id }) => path === `${base}/comments/${id}`);
  const isList = path === `${base}/${process.env["NUMBER"]}/comments`;
  if (method === "GET" && isList && values.paginate === true && values.jq !== undefined) {
    for (const value of filterJson(values.jq, comments, process.env)) process.stdout.write(`${String(value)}\n`);
    return;
  }
  const body = readBody(values.field ?? "");
  const changed = [...comments];
  if (method === "POST" && isList)
    changed.push({ id: 100 + changed.length, user: { login: "github-actions[bot]" }, body });
  else if (method === "PATCH" && known >= 0) changed[known] = { ...(comments[known] as GitHubComment), body };
  else throw new Error(`404: ${method} ${path}`);
  writeFileSync(file, JSON.stringify(changed));
}

/** `body=@file`. */
function readBody(field: string): string {
  const [, file] = /^body=@(.+)$/s.exec(field) ?? [];
  if (file === undefined) throw new Error(`no field with a file: ${field}`);
  return readFileSync(file, "utf8");
}
