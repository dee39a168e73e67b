/**
 * A check of values against the JSON Schemas of `schemas/tools/`, with the few keywords that they use.
 *
 * Strict about the schemas too: a keyword that it does not know is an error, so that none goes unchecked.
 */

/** A schema, as far as it is understood. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const KEYWORDS: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "$ref",
  "$defs",
  "title",
  "description",
  "type",
  "enum",
  "minimum",
  "properties",
  "required",
  "additionalProperties",
  "items",
]);

/** What does not fit, one sentence each; empty where the value fits. `files` are the schemas by file name. */
export function findMisfits(value: unknown, fileName: string, files: Readonly<Record<string, Schema>>): string[] {
  return check(value, schemaOf(files, fileName), { files, fileName, path: "" });
}

interface Place {
  readonly files: Readonly<Record<string, Schema>>;
  readonly fileName: string;
  readonly path: string;
}

function check(value: unknown, schema: Schema, place: Place): string[] {
  const unknown = Object.keys(schema).filter((keyword) => !KEYWORDS.has(keyword));
  if (unknown.length > 0) throw new Error(`${place.fileName} uses ${unknown.join(", ")}, which is not checked`);
  if (schema.$ref !== undefined) {
    const [file = "", pointer = ""] = schema.$ref.split("#/$defs/");
    const fileName = file === "" ? place.fileName : file;
    const target = schemaOf(place.files, fileName).$defs?.[pointer];
    if (target === undefined) throw new Error(`${place.fileName} refers to ${schema.$ref}, which does not exist`);
    return check(value, target, { ...place, fileName });
  }
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => hasType(value, type))) {
    return [`${place.path || "the answer"} is ${JSON.stringify(value)?.slice(0, 60)}, not ${types.join(" or ")}`];
  }
  const misfits: string[] = [];
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    misfits.push(`${place.path} is ${JSON.stringify(value)}, none of ${schema.enum.join(", ")}`);
  }
  if (schema.minimum !== undefined && typeof value === "number" && value < schema.minimum) {
    misfits.push(`${place.path} is ${value}, less than ${schema.minimum}`);
  }
  if (Array.isArray(value)) {
    return [
      ...misfits,
      ...value.flatMap((one, at) => checkMember(one, schema.items, { ...place, path: `${place.path}[${at}]` })),
    ];
  }
  if (typeof value === "object" && value !== null) misfits.push(...checkObject(value, schema, place));
  return misfits;
}

function checkObject(value: object, schema: Schema, place: Place): string[] {
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(value, name));
  const misfits = missing.map((name) => `${place.path}.${name} is missing`);
  for (const [name, member] of Object.entries(value)) {
    const path = `${place.path}.${name}`;
    const declared = schema.properties?.[name] ?? schema.additionalProperties;
    if (declared === false) misfits.push(`${path} is not declared`);
    else misfits.push(...checkMember(member, declared === true ? undefined : declared, { ...place, path }));
  }
  return misfits;
}

function checkMember(value: unknown, schema: Schema | undefined, place: Place): string[] {
  return schema === undefined ? [] : check(value, schema, place);
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function schemaOf(files: Readonly<Record<string, Schema>>, fileName: string): Schema {
  const schema = files[fileName];
  if (schema === undefined) throw new Error(`there is no schema ${fileName}`);
  return schema;
}
