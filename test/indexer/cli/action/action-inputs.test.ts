/** Inputs of the Action are checked, and errors name them. */
import { describe, expect, it } from "vitest";
import { bucketAddress, readInputs, variableOf } from "../../../../indexer/cli/action/inputs.ts";
import { InputError } from "../../../../src/core/errors.ts";

function read(inputs: Readonly<Record<string, string>>) {
  const environment = Object.fromEntries(Object.entries(inputs).map(([name, text]) => [variableOf(name), text]));
  return readInputs(environment, "/checkout/docs");
}

describe("inputs", () => {
  it("have their defaults", () => {
    expect(read({})).toMatchObject({
      root: ".",
      mode: "auto",
      isStrict: false,
      summary: true,
      failOn: [],
      reports: [],
    });
    expect(read({}).keep).toBeUndefined();
  });

  it("are trimmed, and lists have an entry a line", () => {
    expect(read({ reports: " a.sarif\r\n\n  b, c.sarif \n", "fail-on": "secret, error\nbroken-link" })).toMatchObject({
      reports: ["a.sarif", "b, c.sarif"],
      failOn: ["secret", "error", "broken-link"],
    });
    expect(read({ "secret-access-key": "abc\n" }).bucket.secretAccessKey).toBe("abc");
  });

  it("are gone from the variables where they are secret", () => {
    const environment = { INPUT_SECRET_ACCESS_KEY: "abc", INPUT_BUCKET: "docs" };
    readInputs(environment, "/checkout");
    expect(Object.keys(environment)).toEqual(["INPUT_BUCKET"]);
  });

  it.each([
    [{ mode: "publsh" }, "the input mode", "publish"],
    [{ mode: "dry run" }, "auto, publish, dry-run, build", "dry-run"],
    [{ strict: "yes" }, "the input strict", undefined],
    [{ keep: "-1" }, "the input keep", undefined],
    [{ keep: "100" }, "from 0 to 99", undefined],
    [{ url: "search.example.org" }, "the input url", undefined],
    [{ url: "javascript:alert(1)" }, "the input url", undefined],
    [{ root: "../other" }, "the input root", undefined],
    [{ root: "/etc" }, "the input root", undefined],
    [{ corpus: "V2 Docs" }, "name of a corpus", "v2-docs"],
    [{ "fail-on": "secrte" }, "there is no such rule", "secret"],
    [{ account: "my account" }, "the input account", undefined],
    [{ account: "A".repeat(32) }, "the input account", undefined],
    [{ jurisdiction: "E U" }, "the input jurisdiction", undefined],
    [{ jurisdiction: "eu", endpoint: "https://a.example" }, "jurisdiction and endpoint exclude", undefined],
    [{ endpoint: "https://user:pw@a.example" }, "the input endpoint must hold no keys", undefined],
    [{ account: "a".repeat(32), bucket: "my.docs" }, "the input bucket", undefined],
    [{ account: "a".repeat(32), endpoint: "https://a.example" }, "exclude each other", undefined],
    [{ endpoint: "http://s3.example.org" }, "the input endpoint", undefined],
    [{ bucket: "https://a.example/docs" }, "the input bucket", undefined],
    [{ shard: "5/4" }, "it must be I/N", undefined],
    [{ shard: "1/4", parts: "parts" }, "shard and parts exclude", undefined],
    [{ shard: "1/4", "fail-on": "error" }, "shard and fail-on exclude", undefined],
  ])("%j are refused", (inputs, message, nearest) => {
    const error = catchError(() => read(inputs));
    expect(error.message).toContain(message);
    if (nearest !== undefined) expect((error as InputError).nearest).toContain(nearest);
  });
});

describe("a bucket", () => {
  it("is at the account's address, or at another endpoint", () => {
    const account = "a".repeat(32);
    expect(bucketAddress(read({ account, bucket: "docs" }).bucket)).toBe(
      `https://${account}.r2.cloudflarestorage.com/docs`,
    );
    expect(bucketAddress(read({ account, jurisdiction: "eu", bucket: "docs" }).bucket)).toBe(
      `https://${account}.eu.r2.cloudflarestorage.com/docs`,
    );
    const endpoint = "https://s3.example.org/";
    expect(bucketAddress(read({ endpoint, bucket: "my.docs" }).bucket)).toBe(`${endpoint}my.docs`);
    expect(catchError(() => bucketAddress(read({ bucket: "docs" }).bucket))).toBeInstanceOf(InputError);
  });
});

function catchError(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}
