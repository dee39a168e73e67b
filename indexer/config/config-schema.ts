/**
 * The configuration schema as a check: walks a parsed file beside `schemas/config.schema.json`, notes everything that
 * does not fit, and fills in defaults.
 *
 * The schema file is the one place where keys, types, bounds and defaults are written down; this file only knows how
 * to apply the few keywords it uses (`SCHEMA_KEYWORDS`). `$comment` beside `pattern` says in words what the pattern
 * asks for.
 *
 * Pure: values in, values out. No I/O.
 */

import type { Node } from "jsonc-parser";
import configSchema from "../../schemas/config.schema.json" with { type: "json" };
import { nearestNames, quoteValue } from "../../src/core/text/nearest.ts";
import { type ConfigProblem, suggest } from "./config-problems.ts";

/** The part of JSON Schema that the configuration uses. */
export interface SchemaNode {
  readonly $schema?: string;
  readonly $comment?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type: string | readonly string[];
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: SchemaNode;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
}

/** The keywords that `checkValue` applies or that have no effect on values. The schema uses no others. */
export const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  "$schema",
  "$comment",
  "title",
  "description",
  "type",
  "default",
  "enum",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "minItems",
  "maxItems",
  "items",
  "required",
  "properties",
  "additionalProperties",
]);

/** The schema of the whole file. */
export const CONFIG_SCHEMA: SchemaNode = configSchema;

/**
 * The value of `node` with the defaults of `schema` filled in; what does not fit is noted in `problems` and left out.
 *
 * @param where Place of the value in words, for example `collections[0].weight`; `""` for the whole file.
 */
export function checkValue(node: Node, schema: SchemaNode, where: string, problems: ConfigProblem[]): unknown {
  const types = typeof schema.type === "string" ? [schema.type] : schema.type;
  const type = types.find((wanted) => hasType(node, wanted));
  const report = (message: string, at: Node = node) => {
    problems.push({ offset: at.offset, message: `${where === "" ? "the configuration" : where} ${message}` });
  };
  switch (type) {
    case undefined:
      report(`must be ${types.map(nameType).join(" or ")}, found ${describeNode(node)}`);
      return undefined;
    case "object":
      return checkObject(node, schema, where, problems);
    case "array": {
      checkCount(node.children?.length ?? 0, schema, report);
      const { items } = schema;
      const children = node.children ?? [];
      return items === undefined
        ? []
        : children.map((child, index) => checkValue(child, items, `${where}[${index}]`, problems));
    }
    case "string":
      checkString(String(node.value), schema, report);
      return node.value;
    case "number":
    case "integer":
      checkNumber(Number(node.value), schema, report);
      return node.value;
    default:
      return node.value;
  }
}

/** The value that stands for a key which the file leaves out. */
export function fillDefaults(value: unknown, schema: SchemaNode): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((entry: unknown) => fillDefaults(entry, items));
  }
  if (typeof value !== "object" || value === null || schema.properties === undefined) {
    return value;
  }
  const filled = new Map<string, unknown>(Object.entries(value));
  for (const [key, child] of Object.entries(schema.properties)) {
    if (!filled.has(key) && child.default !== undefined) {
      filled.set(key, fillDefaults(child.default, child));
    }
  }
  return Object.fromEntries(filled);
}

function checkObject(node: Node, schema: SchemaNode, where: string, problems: ConfigProblem[]): unknown {
  const known = Object.keys(schema.properties ?? {});
  const values = new Map<string, unknown>();
  for (const property of node.children ?? []) {
    const [keyNode, valueNode] = property.children ?? [];
    if (keyNode === undefined || valueNode === undefined) {
      continue;
    }
    const key = String(keyNode.value);
    const place = where === "" ? key : `${where}.${key}`;
    const child = known.includes(key) ? schema.properties?.[key] : schema.additionalProperties;
    if (values.has(key)) {
      problems.push({ offset: keyNode.offset, message: `${place} is given twice` });
    } else if (typeof child !== "object") {
      const owner = where === "" ? "the configuration" : where;
      const hint = suggest(nearestNames(key, known, 1), known, "its keys are");
      problems.push({ offset: keyNode.offset, message: `${owner} has no key ${quoteValue(key)}${hint}` });
    } else {
      values.set(key, checkValue(valueNode, child, place, problems));
    }
  }
  for (const key of schema.required ?? []) {
    if (!values.has(key)) {
      problems.push({ offset: node.offset, message: `${where} has no ${quoteValue(key)}, which it needs` });
    }
  }
  return fillDefaults(Object.fromEntries(values), schema);
}

function checkCount(count: number, schema: SchemaNode, report: (message: string) => void): void {
  if (schema.minItems !== undefined && count < schema.minItems) {
    report("must not be empty; leave the key out for its default");
  }
  if (schema.maxItems !== undefined && count > schema.maxItems) {
    report(`has ${count} entries, at most ${schema.maxItems} are allowed`);
  }
}

function checkString(value: string, schema: SchemaNode, report: (message: string) => void): void {
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    const hint = suggest(nearestNames(value, schema.enum, 1), schema.enum, "its values are");
    report(`cannot be ${quoteValue(value)}${hint}`);
  } else if (schema.minLength !== undefined && value.length < schema.minLength) {
    report("must not be empty");
  } else if (schema.maxLength !== undefined && value.length > schema.maxLength) {
    report(`is ${value.length} characters long, at most ${schema.maxLength} are allowed`);
  } else if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value)) {
    report(`cannot be ${quoteValue(value)}; it takes ${schema.$comment ?? `what matches ${schema.pattern}`}`);
  }
}

function checkNumber(value: number, schema: SchemaNode, report: (message: string) => void): void {
  if (schema.exclusiveMinimum !== undefined && !(value > schema.exclusiveMinimum)) {
    report(`must be greater than ${schema.exclusiveMinimum}, found ${value}`);
  } else if (schema.minimum !== undefined && !(value >= schema.minimum)) {
    report(`must be at least ${schema.minimum}, found ${value}`);
  } else if (schema.maximum !== undefined && !(value <= schema.maximum)) {
    report(`must be at most ${schema.maximum}, found ${value}`);
  }
}

function hasType(node: Node, type: string): boolean {
  return type === "integer" ? node.type === "number" && Number.isInteger(node.value) : node.type === type;
}

function nameType(type: string): string {
  switch (type) {
    case "integer":
      return "a whole number";
    case "array":
      return "a list";
    case "object":
      return "an object";
    case "null":
      return "null";
    default:
      return `a ${type}`;
  }
}

function describeNode(node: Node): string {
  switch (node.type) {
    case "array":
      return "a list";
    case "object":
      return "an object";
    case "null":
      return "null";
    default:
      return `the ${node.type} ${quoteValue(node.value)}`;
  }
}
