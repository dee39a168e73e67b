/**
 * `npm run build:schemas`: writes the JSON schemas of the files of settings, for editors, out of the zod schemas that check
 * them.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { CONFIG } from "../../indexer/config/config.ts";
import { CATEGORIES, GLOSSARY } from "../../indexer/config/topic-files.ts";
import { projectRoot } from "./environment.ts";

const SCHEMAS = { config: CONFIG, categories: CATEGORIES, glossary: GLOSSARY };

/** The schemas by the paths of their files. */
export function makeSchemas(): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(SCHEMAS).map(([name, schema]) => [`schemas/${name}.schema.json`, toJsonSchema(schema)]),
  );
}

function toJsonSchema(schema: z.ZodType): unknown {
  return z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      delete jsonSchema.propertyNames;
      mergeTypes(jsonSchema);
    },
  });
}

/** Alternatives of different types become one schema: each keyword is about one type alone, and editors say more of it. */
function mergeTypes(schema: z.core.JSONSchema.BaseSchema): void {
  const options = schema.anyOf ?? [];
  const types = options.map(({ type }) => type);
  if (options.length === 0 || new Set(types).size < options.length) return;
  delete schema.anyOf;
  Object.assign(schema, ...options, { ...schema, type: types });
}

if (import.meta.main) {
  for (const [path, schema] of makeSchemas()) {
    writeFileSync(join(projectRoot, path), `${JSON.stringify(schema, null, 2)}\n`);
  }
}
