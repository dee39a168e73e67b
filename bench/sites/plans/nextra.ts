/** Nextra as a static export: the documentation of the AI SDK. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFiles } from "../../../test/support/temporary-folder.ts";
import { changeProse } from "../markdown.ts";
import { listFiles, type Site } from "../site.ts";

/** The site. */
export const nextra: Site = {
  name: "nextra",
  about: "Nextra, static export",
  pages: { npm: { ai: "ai@7.0.173" } },
  place: ".nextra-navbar nav",
  async write(source, folder, script) {
    const docs = join(source, "ai", "docs");
    const pages: Record<string, string> = {};
    const names = new Set<string>();
    for (const path of await listFiles(docs, ".mdx")) {
      // Components of the documentation's own site are replaced.
      const text = changeProse(await readFile(join(docs, path), "utf8"), (prose) => {
        for (const [, name] of prose.matchAll(/<([A-Z]\w*)/g)) names.add(name as string);
        return prose.replace(/^import [^;]* from ["']@\/.*$/gm, "");
      });
      pages[`content/docs/${path.replace(/(^|\/)\d+-/g, "$1")}`] = text;
    }
    await writeFiles(folder, {
      ...pages,
      "content/index.mdx": "---\ntitle: AI SDK\n---\n\n# AI SDK\n\n[Documentation](/docs/introduction)\n",
      "next.config.mjs": `import nextra from "nextra";
export default nextra({ search: false })({
  output: "export",
  trailingSlash: false,
  images: { unoptimized: true },
  typescript: { ignoreBuildErrors: true },
});
`,
      "mdx-components.jsx": components([...names].sort()),
      "app/layout.jsx": `import { Layout, Navbar, Footer } from "nextra-theme-docs";
import { Head } from "nextra/components";
import { getPageMap } from "nextra/page-map";
import "nextra-theme-docs/style.css";

export const metadata = { title: { default: "AI SDK", template: "%s – AI SDK" } };

export default async function RootLayout({ children }) {
  return (
    <html lang="en" dir="ltr" suppressHydrationWarning>
      <Head><script type="module" src=${JSON.stringify(script)} async /></Head>
      <body>
        <Layout navbar={<Navbar logo={<b>AI SDK</b>} />} footer={<Footer>MIT</Footer>} pageMap={await getPageMap()} search={null}>
          {children}
        </Layout>
      </body>
    </html>
  );
}
`,
      "app/[[...mdxPath]]/page.jsx": `import { generateStaticParamsFor, importPage } from "nextra/pages";
import { useMDXComponents as getMDXComponents } from "../../mdx-components";

export const generateStaticParams = generateStaticParamsFor("mdxPath");

export async function generateMetadata(props) {
  const params = await props.params;
  const { metadata } = await importPage(params.mdxPath);
  return metadata;
}

const Wrapper = getMDXComponents().wrapper;

export default async function Page(props) {
  const params = await props.params;
  const { default: MDXContent, toc, metadata, sourceCode } = await importPage(params.mdxPath);
  return (
    <Wrapper toc={toc} metadata={metadata} sourceCode={sourceCode}>
      <MDXContent {...props} params={params} />
    </Wrapper>
  );
}
`,
    });
  },
  build: ["next", "build", "--webpack"],
  output: "out",
  base: "/",
  visit: {
    start: "docs/introduction",
    query: "generateText",
    page: "docs/reference/ai-sdk-core/generate-text",
    dark: ['button[title="Change theme"]', '[role=option]:has-text("Dark")'],
  },
};

/** Components of the documentation's own site: tables of properties as tables, notes as quotations, others as their content. */
function components(names: readonly string[]): string {
  const plain = names.filter((name) => !["PropertiesTable", "Note", "Snippet"].includes(name));
  return `import { useMDXComponents as getThemeComponents } from "nextra-theme-docs";

const Plain = ({ children }) => <>{children}</>;
const Note = ({ children }) => <blockquote>{children}</blockquote>;
const Snippet = ({ text }) => <pre>{[text].flat().join("\\n")}</pre>;
const Rows = ({ content = [] }) => content.map((row) => (
  <tr key={row.name + row.description}><td><code>{row.name}</code></td><td><code>{row.type}</code></td><td>{row.description}
    {(row.properties ?? []).map((inner, at) => <table key={at}><tbody><Rows content={inner.parameters} /></tbody></table>)}</td></tr>
));
const PropertiesTable = ({ content }) => <table><tbody><Rows content={content} /></tbody></table>;

export const useMDXComponents = (components) => ({
  ...getThemeComponents(),
  Note, Snippet, PropertiesTable,
  ${plain.map((name) => `${name}: Plain`).join(", ")},
  ...components,
});
`;
}
