/**
 * A module of the project as JavaScript: types and comments gone, and every file that it names by `.ts` named by `.js`.
 *
 * TypeScript renames what is imported (`rewriteRelativeImportExtensions`). What a module starts, it names as
 * `new URL("./file.ts", import.meta.url)`, and that is renamed here.
 */
import ts from "typescript";

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  removeComments: true,
  rewriteRelativeImportExtensions: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
};

/** What a module of the package is called. */
export function javascriptName(path: string): string {
  return path.replace(/\.ts$/, ".js");
}

/**
 * The JavaScript of a module.
 *
 * @param path For messages.
 * @throws {Error} where it is no TypeScript.
 */
export function toJavascript(text: string, path: string): string {
  const { outputText, diagnostics = [] } = ts.transpileModule(text, {
    fileName: path,
    compilerOptions: OPTIONS,
    reportDiagnostics: true,
    transformers: { before: [renameStarted] },
  });
  const [problem] = diagnostics;
  if (problem !== undefined) throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(problem.messageText, "\n")}`);
  // Programs have a line of their own for the system, which knows no options of Node on every machine.
  return outputText.replace(/^#!.*\n/, "#!/usr/bin/env node\n");
}

function renameStarted(context: ts.TransformationContext): ts.Transformer<ts.SourceFile> {
  const { factory } = context;
  const visit = (node: ts.Node): ts.Node => {
    if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "URL") {
      const [file, base] = node.arguments ?? [];
      if (file !== undefined && ts.isStringLiteral(file) && base !== undefined && isOwnAddress(base)) {
        const renamed = factory.createStringLiteral(javascriptName(file.text));
        return factory.updateNewExpression(node, node.expression, node.typeArguments, [renamed, base]);
      }
    }
    return ts.visitEachChild(node, visit, context);
  };
  return (file) => ts.visitEachChild(file, visit, context);
}

/** `import.meta.url` */
function isOwnAddress(node: ts.Expression): boolean {
  return ts.isPropertyAccessExpression(node) && node.name.text === "url" && ts.isMetaProperty(node.expression);
}
