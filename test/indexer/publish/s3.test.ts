import { describe, expect, it } from "vitest";
import { openBucket, readCredentials } from "../../../indexer/publish/s3.ts";

const SECRETS = { accessKeyId: "id", secretAccessKey: "a-secret" };

describe("a bucket", () => {
  it.each([
    ["", "https address"],
    ["bucket", "https address"],
    ["http://account.r2.cloudflarestorage.com/b", "https address"],
    ["ftp://localhost/b", "https address"],
    ["https://account.r2.cloudflarestorage.com", "name of the bucket"],
    ["https://account.r2.cloudflarestorage.com/b?x=1", "name of the bucket"],
    ["https://id:a-secret@account.r2.cloudflarestorage.com/b", "no credentials"],
  ])("is not at %j, and what is said of it holds no secret", (address, words) => {
    expect(() => openBucket(address, SECRETS)).toThrow(words);
    expect(() => openBucket(address, SECRETS)).not.toThrow("a-secret");
  });

  it("takes credentials from the environment alone", () => {
    expect(readCredentials({ AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" })).toEqual({
      accessKeyId: "a",
      secretAccessKey: "b",
    });
    expect(
      readCredentials({ AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", AWS_SESSION_TOKEN: "c" }),
    ).toHaveProperty("sessionToken", "c");
    for (const environment of [{}, { AWS_ACCESS_KEY_ID: "a" }, { AWS_SECRET_ACCESS_KEY: "b" }]) {
      expect(() => readCredentials(environment)).toThrow("AWS_ACCESS_KEY_ID");
    }
  });
});
