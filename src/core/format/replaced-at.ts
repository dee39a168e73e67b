/**
 * When generations stopped being current: a member of the pointer's `previous` that publishers alone ask for.
 *
 * Layout: index-format v1, section 5. Pure: bytes in, values out.
 */
import { ByteReader, decodeJson } from "../bytes/reader.ts";
import { shapeOf } from "./json-shape.ts";

const MAGIC_AND_VERSION_BYTES = 5;

/**
 * When each previous generation of a pointer that `decodePointer` takes was replaced, in milliseconds since 1970, by
 * generation. Those of which the pointer does not say it are left out, as are times that are none.
 */
export function readReplacedAt(bytes: Uint8Array): ReadonlyMap<string, number> {
  const file = new ByteReader(bytes, "pointer");
  // Magic, version and checksum: `decodePointer` looked at them.
  file.readBytes(MAGIC_AND_VERSION_BYTES);
  file.readUint32();
  const check = shapeOf(file.what);
  const { previous } = check.record(decodeJson(file.readBytes(file.readVarint()), file.what));
  const times = new Map<string, number>();
  for (const value of check.array(previous)) {
    const { generation, replacedAt } = check.record(value);
    const time = replacedAt === undefined ? Number.NaN : Date.parse(check.string(replacedAt));
    if (!Number.isNaN(time)) times.set(check.string(generation), time);
  }
  return times;
}
