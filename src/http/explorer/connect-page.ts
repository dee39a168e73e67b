/**
 * The page `/explorer/connect`: how each client is connected to this server. It reads nothing of the index, so it is for
 * everybody, like the document `/connect` that programs read.
 */
import {
  type ClientGuide,
  type ConnectTarget,
  describeAccess,
  listClientGuides,
} from "../../surface/render/connect.ts";
import { bareSite, type PageServices, respondPage } from "./answer-page.ts";
import { type Html, html } from "./html.ts";
import { CONNECT_PATH, clientLink, EXPLORER_PATH } from "./navigation.ts";

/** A guide as the page shows it. */
type ShownGuide = Omit<ClientGuide, "link"> & { readonly link?: string | undefined };

/** The answer to a GET of the page. */
export async function answerConnectPage(_request: Request, services: PageServices): Promise<Response> {
  const { corpus, base, needsKey } = services;
  const target: ConnectTarget = { origin: base, ...(corpus !== "" && { corpus }), needsKey };
  const guides = listClientGuides(target);
  return respondPage(bareSite(corpus), {
    title: "Connect a client",
    current: CONNECT_PATH,
    main: html`<p>${describeAccess(target)}</p>
${needsKey && writeKeys()}
<ul class="chips">${guides.map(({ id, client }) => html`<li><a class="chip" href="#${id}">${client}</a></li>`)}</ul>
<p class="hidden" role="status" id="status"></p>
${guides.map((guide) => writeGuide(guide, 2))}`,
  });
}

/** A guide with its snippet and a button that copies it. @param level Of its heading. */
export function writeGuide({ id, client, step, snippet, link }: ShownGuide, level: 2 | 3): Html {
  const address = link === undefined ? undefined : clientLink(link);
  const heading = level === 2 ? html`<h2>${client}</h2>` : html`<h3>${client}</h3>`;
  return html`<section class="guide" id="${id}">${heading}
${step !== "" && html`<p>${writeCode(step)}</p>`}
<div class="snippet"><pre class="wrap" id="${id}-text"><code>${snippet}</code></pre><button type="button" data-copy="${id}-text" hidden>Copy<span class="hidden"> for ${client}</span></button></div>
${address !== undefined && html`<p><a class="button" href="${address}">Add to ${client}</a></p>`}
</section>`;
}

function writeKeys(): Html {
  return html`<h2>Keys</h2>
<p>Who runs this server makes a key for each person or program with <code>treeline keys add NAME</code>, and can limit it to some collections. The key begins with <code>tl_</code> and is shown once. Set it as the environment variable <code>TREELINE_KEY</code>; clients send it as the header <code>Authorization: Bearer tl_…</code>. Do not write it into files that others read.</p>`;
}

/** A sentence in which what stands between backticks is code. */
function writeCode(text: string): Html {
  return html`${text.split("`").map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
