/** A small project with all that a summary of a graph names: of files and of pages, in collections and groups. */
import type { Pages } from "./build-index.ts";

/** Files of the project. */
export const GRAPH_PROJECT: Pages = {
  "app/package.json": JSON.stringify({ name: "app", main: "dist/main.js" }),
  "app/src/main.ts": 'import { a } from "./a";\nimport "./style.css";\nimport data from "./data.json";\na(data);\n',
  "app/src/a.ts": 'import { b } from "./b";\nexport function a(x: unknown) {\n  return b(x);\n}\n',
  "app/src/b.ts": 'import { a } from "./a";\nexport const b = (x: unknown): unknown => a(x);\n',
  "app/src/types.ts": 'import type { Shape } from "./shape";\nexport interface Kind {\n  shape: Shape;\n}\n',
  "app/src/shape.ts": 'import type { Kind } from "./types";\nexport interface Shape {\n  kind: Kind;\n}\n',
  "app/src/dead.ts": 'import { a } from "./a";\nexport const dead = a(1);\n',
  "app/src/alone.ts": "export const alone = 1;\n",
  "tools/run.py": "import step\n\nstep.go()\n",
  "tools/step.py": "def go():\n    return 1\n",
  "docs/index.md": "# Start\n\n[Guide](guide.md), [gone](gone.md)\n",
  "docs/guide.md": "# Guide\n\n[back](index.md)\n",
  "docs/lone.md": "# Lone\n\nNobody links here.\n",
  "team/plan.md": "# Plan\n\n[more](more.md)\n",
  "team/more.md": "# More\n",
  "team/secret.ts": 'import "./other";\n',
  "team/other.ts": 'import "./secret";\n',
};

/** Its configuration: two collections of code, two of pages, one of them with code for a group. */
export const GRAPH_CONFIG = {
  collections: [
    { name: "app", root: "app", kind: "code" },
    { name: "tools", root: "tools", kind: "code" },
    { name: "docs", root: "docs" },
    { name: "team", root: "team", access: "team", include: ["**/*.md", "**/*.ts"] },
  ],
};
