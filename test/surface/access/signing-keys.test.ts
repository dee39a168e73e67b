import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatHex } from "../../../src/core/bytes/encodings.ts";
import { createSigningKeys, type SigningKeys } from "../../../src/surface/access/signing-keys.ts";
import { runs } from "../../support/runs.ts";

const SECRET = "a secret";
const TEXT = new Uint8Array(new TextEncoder().encode("signed"));

async function sign(purpose: Parameters<SigningKeys>[0], corpus?: string): Promise<string> {
  return formatHex(await (await createSigningKeys(SECRET, corpus)(purpose))(TEXT));
}

describe("keys for signing", () => {
  it("are at the root what they were before there were other corpora, so that old handles stay good", async () => {
    expect(await sign("session")).toBe("5bcaa7affade052989f32e6b4005c744319fb00572aa84db6ee00bf4442c1f34");
    expect(await sign("cursor", "")).toBe("0877a980541ed6936fa99407766d8bbf06bfde0e24d498a7d68c2ae4e0af00d2");
  });

  it("differ for each purpose and each corpus", async () => {
    const corpus = fc.stringMatching(/^[a-z0-9._-]{0,5}$/);
    await fc.assert(
      fc.asyncProperty(corpus, corpus, async (one, other) => {
        const [session, cursor] = [await sign("session", one), await sign("cursor", one)];
        expect(session).not.toBe(cursor);
        expect(await sign("session", one)).toBe(session);
        expect((await sign("session", other)) === session).toBe(one === other);
        expect(await sign("cursor", other)).not.toBe(session);
      }),
      { numRuns: runs(50) },
    );
  });
});
