/** A deployment for tests of access: the index of several groups, and keys for them. */
import { env } from "cloudflare:workers";
import { formatHex } from "../../src/core/bytes/encodings.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { formatAccessFile, hashKey } from "../../src/surface/access/access-file.ts";
import grouped from "../fixtures/grouped-index.json" with { type: "json" };

/** Text of a key, of which one letter differs from the others. */
function keyText(at: number): string {
  return `tl_0000000${at}_${String(at).repeat(43)}`;
}

const CREATED = "2026-01-01T00:00:00Z";

/** Keys by what they are for. */
export const KEYS = {
  all: keyText(0),
  strategy: keyText(1),
  finance: keyText(2),
  halfFinance: keyText(3),
  docs: keyText(4),
  revoked: keyText(5),
  expired: keyText(6),
  unknown: keyText(9),
} as const;

const FINANCE = ["ledger", "ledger-code", "payroll", "payroll-code"];

/** Publish the index, and the keys beside it. */
export async function publishGroups(): Promise<void> {
  const files = Object.entries(grouped).map(
    ([name, base64]) => [name, Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0))] as const,
  );
  for (const [name, bytes] of files) if (name !== POINTER_FILE) await env.INDEX.put(name, bytes);
  for (const [name, bytes] of files) if (name === POINTER_FILE) await env.INDEX.put(name, bytes);
  const key = async (at: number, consumer: string, more: object) => ({
    id: `0000000${at}`,
    consumer,
    hash: formatHex(await hashKey(keyText(at))),
    createdAt: CREATED,
    ...more,
  });
  const keys = await Promise.all([
    key(0, "everything", { admin: true }),
    key(1, "strategist", { collections: ["plans", "plans-code"] }),
    key(2, "accountant", { collections: FINANCE }),
    key(3, "half", { collections: ["ledger", "ledger-code", "payroll"] }),
    key(4, "reader", { collections: ["docs", "docs-code"] }),
    key(5, "gone", { revokedAt: CREATED }),
    key(6, "old", { expiresAt: CREATED }),
  ]);
  await env.INDEX.put("access.json", formatAccessFile({ keys }));
}
