/** Names of this machine. Pure. */

/** Host names that lead back to the machine that asks, as `URL` spells them. */
export const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether secrets may travel to an address: over HTTPS to anywhere, over plain HTTP to this machine alone. */
export function isSafeForSecrets({
  protocol,
  hostname,
}: {
  readonly protocol: string;
  readonly hostname: string;
}): boolean {
  return protocol === "https:" || (protocol === "http:" && LOOPBACK_HOSTS.has(hostname));
}
