import { describe, expect, it } from "vitest";
import { isSafeForSecrets } from "../../src/core/text/addresses.ts";

describe("isSafeForSecrets", () => {
  it.each([
    ["https://docs.example.org", true],
    ["http://localhost:8787", true],
    ["http://127.0.0.1", true],
    ["http://[::1]:80", true],
    ["http://docs.example.org", false],
    ["http://localhost.evil.example", false],
    ["http://127.0.0.1.evil.example", false],
    ["http://10.0.0.1", false],
    ["ftp://localhost", false],
  ])("says of %s: %s", (address, isSafe) => {
    expect(isSafeForSecrets(new URL(address))).toBe(isSafe);
  });
});
