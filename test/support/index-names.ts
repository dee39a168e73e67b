/** Names as index files have them, and names that lead elsewhere. */
import fc from "fast-check";

const digit = fc.constantFrom(..."0123456789abcdef");

/** Any name of an index file of a kind. */
export function anyIndexFile(kind: string): fc.Arbitrary<string> {
  return fc.string({ unit: digit, minLength: 32, maxLength: 32 }).map((hash) => `${hash}.${kind}`);
}

/** Any name that no index file has, such as one that begins like the name of one and leads out of its folder. */
export const anyForeignName: fc.Arbitrary<string> = fc
  .oneof(
    fc.string({ unit: "grapheme", maxLength: 20 }),
    fc
      .tuple(
        fc.oneof(anyIndexFile("manifest"), anyIndexFile("pack"), fc.string({ unit: digit, maxLength: 40 })),
        fc.constantFrom("./", "/../", "/../../", "\\..\\", "\0", "\n", ".", "/", "%2f..%2f", "", " "),
        fc.constantFrom("package.json", "x.manifest", "", "..", "C:\\x.pack"),
      )
      .chain(([name, way, to]) => fc.constantFrom(`${name}${way}${to}`, `${way}${name}`, `..${way}${to}`, `/${name}`)),
    anyIndexFile("pack").map((name) => name.toUpperCase()),
    anyIndexFile("exe"),
  )
  .filter((name) => !/^[0-9a-f]{32}\.(?:pack|root|manifest|log)$/s.test(name) || name.includes("\n"));
