/**
 * A JSON schema as a TypeScript type, with its descriptions as comments: the type of `treeline.config.json`. Pure.
 */

/** The part of JSON Schema that the project's own schemas use. */
export interface Schema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
}

/** Keywords that a type says, and those that it cannot say. */
const SAID = new Set(["type", "enum", "properties", "required", "additionalProperties", "items", "description"]);
const UNSAID = new Set([
  ...["$schema", "$comment", "title", "default", "pattern", "minimum", "maximum", "exclusiveMinimum", "format"],
  ...[
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "propertyNames",
  ],
]);
const INDENT = "  ";

/** An exported interface. @throws {Error} for a keyword that is not known here: its meaning would be lost. */
export function typeOfSchema(name: string, schema: Schema): string {
  return `${describe(schema, "")}export interface ${name} ${typeOf(schema, "")}\n`;
}

function typeOf(schema: Schema, indent: string): string {
  const unknown = Object.keys(schema).find((keyword) => !SAID.has(keyword) && !UNSAID.has(keyword));
  if (unknown !== undefined) throw new Error(`no type can be made of the keyword ${unknown}`);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return "unknown";
  return types.map((type) => typeOfKind(type, schema, indent)).join(" | ");
}

function typeOfKind(kind: string, schema: Schema, indent: string): string {
  switch (kind) {
    case "integer":
    case "number":
      return "number";
    case "array":
      return `readonly (${typeOf(schema.items ?? {}, indent)})[]`;
    case "object":
      return typeOfObject(schema, indent);
    case "string":
    case "boolean":
    case "null":
      return kind;
    default:
      throw new Error(`no type can be made of the type ${kind}`);
  }
}

function typeOfObject({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  const inner = indent + INDENT;
  const lines = Object.entries(properties ?? {}).map(([key, value]) => {
    const optional = required.includes(key) ? "" : "?";
    return `${describe(value, inner)}${inner}readonly ${JSON.stringify(key)}${optional}: ${typeOf(value, inner)};\n`;
  });
  if (typeof additionalProperties === "object") {
    lines.push(`${inner}readonly [key: string]: ${typeOf(additionalProperties, inner)};\n`);
  }
  return `{\n${lines.join("")}${indent}}`;
}

function describe({ description }: Schema, indent: string): string {
  return description === undefined ? "" : `${indent}/** ${description.replaceAll("*/", "*\\/")} */\n`;
}
