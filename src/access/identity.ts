/**
 * What people of a team may see, by who they are: collections for e-mail addresses, domains, groups of the identity provider
 * and services, as the setting `ACCESS_COLLECTIONS` lists them.
 *
 * Pure: texts and claims in, collections out.
 */
import { readListed } from "./caller.ts";

/** Collections by what a token may say of its bearer. */
export type IdentityCollections = ReadonlyMap<string, readonly string[]>;

/** Everybody who shows a token. */
const EVERYBODY = "*";
const WHO = /^(?:\*|[^\s@]*@[^\s@]+|group:.+|service:.+)$/;
const EXAMPLE = '{"*": ["guide"], "@example.com": ["team"], "ada@example.com": ["*"], "group:board": ["board"]}';

/** The setting as a table; undefined where there is none. @throws {Error} where it is no such table: then no token opens anything. */
export function readIdentityCollections(setting: string | undefined): IdentityCollections | undefined {
  if ((setting ?? "").trim() === "") return undefined;
  const fail = (what: string): Error => new Error(`ACCESS_COLLECTIONS ${what}; an example: ${EXAMPLE}`);
  let value: unknown;
  try {
    value = JSON.parse(setting ?? "");
  } catch {
    throw fail("is no JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw fail("is no object");
  return new Map(
    Object.entries(value).map(([who, listed]: [string, unknown]) => {
      if (!WHO.test(who)) throw fail(`names ${JSON.stringify(who)}, no e-mail address, @domain, group:, service: or *`);
      const isList =
        Array.isArray(listed) && listed.every((one) => typeof one === "string" && readListed(one) !== undefined);
      if (!isList) throw fail(`has no list of collections for ${JSON.stringify(who)}`);
      return [who.toLowerCase(), listed as readonly string[]];
    }),
  );
}

/** Collections that the bearer of a token with these claims may see. */
export function collectionsOf(
  table: IdentityCollections,
  claims: Readonly<Record<string, unknown>>,
): readonly string[] {
  return [...new Set(namesOf(claims).flatMap((who) => table.get(who.toLowerCase()) ?? []))];
}

/** What a token says of its bearer. Groups of the identity provider stand in it where Access is told to pass them on. */
function namesOf({ email, groups, custom, common_name: service }: Readonly<Record<string, unknown>>): string[] {
  const passedOn = typeof custom === "object" && custom !== null ? Reflect.get(custom, "groups") : undefined;
  const listed = [groups, passedOn].flat().filter((group): group is string => typeof group === "string");
  const domain = typeof email === "string" ? email.slice(email.lastIndexOf("@")) : undefined;
  return [
    EVERYBODY,
    ...(typeof email === "string" && domain !== undefined ? [email, domain] : []),
    ...listed.map((group) => `group:${group}`),
    ...(typeof service === "string" && service !== "" ? [`service:${service}`] : []),
  ];
}
