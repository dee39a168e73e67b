/** Errors of the command line name inputs in a run of the Action. */
import { describe, expect, it } from "vitest";
import { UsageError } from "../../../../indexer/base/diagnostic.ts";
import { describeMendable } from "../../../../indexer/cli/action/runner.ts";
import { readFailOn } from "../../../../indexer/config/fail-on.ts";
import { readCredentials } from "../../../../indexer/publish/s3.ts";
import { InputError } from "../../../../src/core/errors.ts";

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe("an error that can be mended", () => {
  it("names inputs in place of options and variables", () => {
    expect(describeMendable(thrownBy(() => readFailOn(["secrte"])))).toEqual([
      'the input fail-on cannot take "secrte": there is no such rule, source or severity',
      "did you mean: secret?",
      "example: fail-on: secret,suspicious-instruction, or fail-on: report:eslint for findings of a report",
    ]);
    expect(describeMendable(thrownBy(() => readCredentials({})))).toEqual([
      "the bucket needs credentials: set the input access-key-id and the input secret-access-key to those of an R2 API token",
    ]);
    expect(describeMendable(new UsageError('--shard is "5/4"'))).toEqual(['the input shard is "5/4"']);
  });

  it("has an example only where it is one of an input", () => {
    expect(describeMendable(new InputError("a", [], "treeline build docs"))).toEqual(["a"]);
    expect(describeMendable(new InputError("a", [], "--bucket https://a.example/b"))).toEqual(["a"]);
    expect(describeMendable(new InputError("pre--bucket and --buckets stay"))).toEqual([
      "pre--bucket and --buckets stay",
    ]);
  });

  it("is no other error", () => {
    expect(describeMendable(new TypeError("a"))).toBeUndefined();
  });
});
