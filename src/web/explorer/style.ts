/**
 * The style sheet of the explorer, as text: served as a file, since the policy of its pages forbids inline styles.
 *
 * Colours hold 4.5:1 against their ground, light and dark. Directions are logical, so texts from right to left need
 * nothing more.
 */

/** Pages explain the classes that they use. */
export const EXPLORER_STYLE = `
:root{color-scheme:light dark;--text:#1b1f24;--soft:#59616b;--line:#d5dae0;--ground:#fff;--raised:#f5f7f9;--link:#0b57c2;--mark:#fff0a8;--mark-text:#1b1f24;--strong:#0b57c2;--error:#b3261e;--warning:#865000;--good:#176b3a;--bar:#0b57c2;--bar-2:#0f7a6c;--bar-3:#9a4f00;--bar-4:#7b3fa8;--code-comment:#59616b;--code-keyword:#a3195b;--code-string:#0a6b3d;--code-number:#8a4b00;--code-title:#5b3fb8;--code-type:#0b5a8f;--radius:6px;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
@media (prefers-color-scheme:dark){:root{--text:#e4e7eb;--soft:#a3abb5;--line:#343b44;--ground:#14171b;--raised:#1d2127;--link:#86b7ff;--mark:#5b4a00;--mark-text:#fff6cf;--strong:#86b7ff;--error:#ff9d94;--warning:#f0b45a;--good:#7fd6a0;--bar:#5a9bf5;--bar-2:#3fb5a3;--bar-3:#d9903a;--bar-4:#b98be0;--code-comment:#a3abb5;--code-keyword:#ff9dc6;--code-string:#7fd6a0;--code-number:#f0b45a;--code-title:#c3b1ff;--code-type:#86c8ff}}
*{box-sizing:border-box}
html{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;background:var(--ground);color:var(--text);scroll-padding-block-start:1rem;-webkit-text-size-adjust:100%}
body{margin:0;min-block-size:100vh;display:flex;flex-direction:column;overflow-wrap:anywhere}
a{color:var(--link);text-underline-offset:.15em;text-decoration-thickness:.06em}
a:hover{text-decoration-thickness:.12em}
:focus-visible{outline:3px solid var(--strong);outline-offset:2px;border-radius:2px}
main:focus{outline:none}
.skip{position:absolute;inset-inline-start:-100vw;padding:.5rem 1rem;background:var(--ground);z-index:2}
.skip:focus{inset-inline-start:.5rem;inset-block-start:.5rem}
.bar{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.25rem;inline-size:100%;max-inline-size:72rem;margin-inline:auto;padding:.5rem 1rem}
header.site{border-block-end:1px solid var(--line);background:var(--raised)}
header.site .name{font-weight:650;color:inherit;text-decoration:none;padding-block:.25rem}
header.site img{vertical-align:-.3em;object-fit:contain}
header.site ul,.plain{list-style:none;margin:0;padding:0}
header.site .bar>nav>ul{display:flex;flex-wrap:wrap;gap:0 .25rem;margin-inline:-.5rem}
header.site nav a{display:block;padding:.3rem .5rem;color:inherit;text-decoration:none;border-radius:var(--radius)}
header.site nav a:hover{background:var(--line)}
header.site nav a[aria-current]{color:var(--strong);font-weight:600;box-shadow:inset 0 -2px var(--strong);border-end-start-radius:0;border-end-end-radius:0}
.corpora{position:relative}
.corpora summary{padding:.25rem .5rem;border:1px solid var(--line);border-radius:var(--radius);background:var(--ground);cursor:pointer}
.corpora nav{position:absolute;z-index:2;min-inline-size:10rem;max-block-size:60vh;overflow:auto;margin-block-start:.25rem;background:var(--ground);border:1px solid var(--line);border-radius:var(--radius);box-shadow:0 4px 16px #0003}
main{flex:1;inline-size:100%;max-inline-size:72rem;margin-inline:auto;padding:1rem 1rem 3rem}
main.wide,body:has(main.wide) .bar{max-inline-size:110rem}
footer.site{border-block-start:1px solid var(--line);color:var(--soft);font-size:.875rem}
footer.site .bar{padding-block:.75rem;align-items:baseline}
footer.site a{padding-block:.15rem}
h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0 1rem}
h2{font-size:1.15rem;line-height:1.3;margin:2rem 0 .5rem}
h3{font-size:1rem;margin:1.25rem 0 .25rem}
p,ul,ol,dl,pre,table,figure{margin-block:.5rem}
.soft,small{color:var(--soft)}
small,.small{font-size:.875rem}
code,pre,kbd,samp{font-family:var(--mono);font-size:.875em}
pre{overflow:auto;padding:.75rem;background:var(--raised);border:1px solid var(--line);border-radius:var(--radius);tab-size:4;line-height:1.45}
pre code{font-size:.8125rem}
pre.wrap{white-space:pre-wrap}
mark{background:var(--mark);color:var(--mark-text);border-radius:2px;padding:0 .1em}
h2 small{font-weight:400}
.table{overflow-x:auto;margin-block:.5rem}
table{border-collapse:collapse;inline-size:100%;overflow-wrap:break-word}
th,td{padding-block:.35rem;padding-inline:0 1.25rem;text-align:start;vertical-align:top;border-block-end:1px solid var(--line)}
th{font-weight:600;font-size:.875rem;color:var(--soft);white-space:nowrap}
tbody th{font-weight:400;font-size:1rem;color:inherit;white-space:normal}
.number{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap}
input,select,button,.button{font:inherit;color:inherit;background:var(--ground);border:1px solid var(--soft);border-radius:var(--radius);padding:.35rem .75rem;min-block-size:2.25rem}
button,.button{cursor:pointer;background:var(--raised);display:inline-block;text-decoration:none}
button:hover,.button:hover{border-color:var(--strong)}
.chips{display:flex;flex-wrap:wrap;gap:.375rem;list-style:none;margin:.25rem 0;padding:0}
.chips>.soft{align-self:center}
.chip{display:inline-block;padding:.15rem .6rem;min-block-size:1.75rem;border:1px solid var(--line);border-radius:1rem;background:var(--raised);color:inherit;text-decoration:none;font-size:.875rem}
a.chip:hover{border-color:var(--strong)}
.chip[aria-current]{border-color:var(--strong);color:var(--strong);font-weight:600}
.facts{display:flex;flex-wrap:wrap;gap:.5rem 2rem;margin:0}
.facts div{display:flex;flex-direction:column-reverse}
.facts dt{color:var(--soft);font-size:.875rem}
.facts dd{margin:0;font-size:1.15rem;font-weight:600;font-variant-numeric:tabular-nums}
.hidden{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
[hidden]{display:none!important}
.error{color:var(--error)}
.warning{color:var(--warning)}
.good{color:var(--good)}
form.search{display:flex;flex-wrap:wrap;gap:.5rem;margin-block:.5rem 1rem}
form.search input[type=search]{flex:1 1 10rem;min-inline-size:0;font-size:1.05rem}
.options{flex-basis:100%;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:center;font-size:.875rem;color:var(--soft)}
.options label{display:inline-flex;align-items:center;gap:.375rem;min-block-size:2rem}
.options select{padding:.15rem .35rem;min-block-size:1.75rem}
.options input{inline-size:1.1rem;block-size:1.1rem}
#results[aria-busy]{opacity:.75}
.summary{font-weight:600}
.notes{padding-inline-start:1.25rem;color:var(--soft)}
.facets{display:grid;gap:.25rem;margin-block:.5rem 1rem;font-size:.875rem}
.facets>div{display:flex;gap:.75rem;align-items:baseline}
.facets>div>span{flex:none;inline-size:7.5rem}
.hits{max-inline-size:60rem;list-style:none;margin:0;padding:0}
.hit{padding-block:.75rem;border-block-start:1px solid var(--line)}
.hit h2{margin:0;font-size:1.1rem}
.hit h2 a{text-decoration:none}
.hit h2 a:hover{text-decoration:underline}
.where{margin:0;color:var(--soft);font-size:.875rem}
.excerpt.code{font:.8125rem/1.5 var(--mono);background:var(--raised);border-radius:var(--radius);padding:.25rem .5rem;white-space:pre-wrap}
.hit>p.small{margin-block:.25rem}
.sections{list-style:none;margin:.35rem 0 0;padding-inline-start:.75rem;border-inline-start:2px solid var(--line);display:grid;gap:.5rem}
.excerpt{margin:0;font-size:.9375rem}
summary{cursor:pointer;padding-block:.15rem;inline-size:fit-content}
.legend{display:flex;flex-wrap:wrap;gap:.15rem 1rem;list-style:none;margin:0 0 .5rem;padding:0;color:var(--soft)}
caption{text-align:start}
.paging{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center;margin-block:1.5rem}
.help{display:grid;gap:.35rem;color:var(--soft)}
.help div{display:flex;flex-wrap:wrap;gap:0 1rem}
.help dt{flex:0 0 12rem;color:var(--text)}
.help dd{margin:0}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:0 2.5rem}
.columns>section{min-inline-size:0}
.plain li{padding-block:.2rem}
.snippet{position:relative}
.snippet pre{padding-inline-end:5rem;margin-block:.25rem}
.snippet button{position:absolute;inset-block-start:.35rem;inset-inline-end:.35rem;font-size:.875rem;padding:.1rem .6rem;min-block-size:1.75rem}
.guide h3{margin-block:.75rem .25rem}
.document{display:grid;grid-template-columns:minmax(0,15rem) minmax(0,1fr) minmax(0,14rem);grid-template-rows:auto 1fr;gap:0 2rem;align-items:start}
.document>.head,.document>article{grid-column:2}
.head{min-inline-size:0;max-inline-size:60rem}
.pages,.outline{position:sticky;inset-block-start:.5rem;max-block-size:calc(100vh - 1rem);overflow:auto;font-size:.875rem;scrollbar-width:thin}
.pages{grid-area:1/1/3/2}
.outline{grid-area:1/3/3/4}
.fold::details-content{content-visibility:visible;block-size:auto}
.fold>summary{font-weight:600;color:var(--soft);list-style:none;pointer-events:none;margin-block:.5rem .25rem}
.pages a,.outline a{display:inline-block;min-block-size:1.5rem;padding:.15rem .5rem;text-decoration:none;color:inherit;border-radius:var(--radius)}
.pages a:hover,.outline a:hover{background:var(--line)}
.pages a[aria-current]{background:var(--raised);color:var(--strong);font-weight:600}
.pages ul ul{margin-inline-start:.5rem;border-inline-start:1px solid var(--line)}
.pages li,.outline li{padding-block:0}
.outline li{border-inline-start:1px solid var(--line)}
.pages a{inline-size:100%}
.head .button{font-size:.875rem;padding:.1rem .6rem;min-block-size:1.75rem}
.level-2{padding-inline-start:.6rem}.level-3{padding-inline-start:1.4rem}.level-4{padding-inline-start:2.2rem}.level-5{padding-inline-start:3rem}.level-6{padding-inline-start:3.8rem}
article{min-inline-size:0;max-inline-size:60rem}
.around{justify-content:space-between;border-block-start:1px solid var(--line);padding-block-start:1rem}
.around a{max-inline-size:48%}
.around [rel=next]{margin-inline-start:auto;text-align:end}
.around small{display:block}
.note{border-inline-start:4px solid var(--link);background:var(--raised);border-radius:var(--radius);padding:.25rem 1rem;margin-block:.75rem}
.note.warns{border-color:var(--warning)}
.note>p:first-child>strong{color:var(--link)}
.note.warns>p:first-child>strong{color:var(--warning)}
.caption{margin-block:.75rem -.5rem;font:.8125rem var(--mono);color:var(--soft)}
article kbd{border:1px solid var(--soft);border-block-end-width:2px;border-radius:4px;padding:0 .3em}
article h2{border-block-end:1px solid var(--line);padding-block-end:.2rem}
article h2 code,article h3 code{font-size:.9em}
.anchor{color:inherit;text-decoration:none}
.anchor:hover::after{content:" #";color:var(--soft)}
:target>h2,:target>h3,:target>h4,:target>h5,:target>h6{background:var(--mark);color:var(--mark-text)}
blockquote{margin-inline:0;padding-inline-start:1rem;border-inline-start:3px solid var(--line);color:var(--soft)}
:not(pre)>code{background:var(--raised);padding:.05em .25em;border-radius:3px}
h1 code,h2 a code,.outline code,.tree code{background:none;padding:0}
.rule{white-space:nowrap}
pre a{color:inherit;text-decoration-color:var(--soft);text-decoration-style:dotted}
pre a:hover{background:var(--line);text-decoration-style:solid}
::highlight(code-comment){color:var(--code-comment)}
::highlight(code-keyword){color:var(--code-keyword)}
::highlight(code-string){color:var(--code-string)}
::highlight(code-number){color:var(--code-number)}
::highlight(code-title){color:var(--code-title)}
::highlight(code-type){color:var(--code-type)}
.panel{position:fixed;inset:0 0 0 auto;margin:0;inline-size:min(26rem,100vw);block-size:100vh;max-block-size:none;overflow:auto;padding:.75rem 1rem;background:var(--ground);color:inherit;border:0;border-inline-start:1px solid var(--line);box-shadow:-4px 0 16px #0003;z-index:3}
.panel>button{float:inline-end}
.panel h2{margin-block:.25rem .5rem}
header.site treeline-search{display:inline-block;inline-size:13rem;block-size:2.5rem;margin-inline-start:auto;overflow:hidden;vertical-align:middle;--treeline-accent:var(--strong);--treeline-button-width:13rem}
header.site treeline-search:defined{overflow:visible}
header.site treeline-search input{inline-size:100%;block-size:2.25rem}
.path{overflow-wrap:anywhere;min-inline-size:12rem}
th[aria-sort=ascending] a::after{content:" ↑"}
th[aria-sort=descending] a::after{content:" ↓"}
pre.markup{border-style:dashed;color:var(--soft);padding-block:.35rem}
hr{border:0;border-block-start:1px solid var(--line);margin-block:1.5rem}
.source{padding-inline-start:0}
.source span{display:block;padding-inline-end:.75rem;min-inline-size:fit-content}
.source span::before{content:attr(data-line);display:inline-block;min-inline-size:3rem;padding-inline:.75rem;margin-inline-end:.75rem;text-align:end;color:var(--soft);border-inline-end:1px solid var(--line);user-select:none;white-space:pre}
.source span:target,.source i:target+span{background:color-mix(in srgb,var(--mark) 45%,var(--raised))}
@media (max-width:75rem){.document{grid-template-columns:minmax(0,14rem) minmax(0,1fr);grid-template-rows:auto auto 1fr}.pages{grid-area:1/1/4/2}.outline{grid-area:2/2/3/3;position:static}.document>.outline .fold::details-content{content-visibility:hidden;block-size:0}.document>.outline .fold[open]::details-content{content-visibility:visible;block-size:auto}.outline .fold>summary{pointer-events:auto;list-style:revert}}
@media (max-width:48rem){.document{display:block}.pages,.outline{position:static;max-block-size:60vh;border:1px solid var(--line);border-radius:var(--radius);padding-inline:.75rem;margin-block-end:.5rem}.pages .fold::details-content{content-visibility:hidden;block-size:0}.pages .fold[open]::details-content{content-visibility:visible;block-size:auto}.pages .fold>summary{pointer-events:auto;list-style:revert}header.site treeline-search{inline-size:100%;--treeline-button-width:100%}.facets>div{flex-direction:column;gap:.15rem}.cards,.cards tbody{display:block;overflow-wrap:anywhere}.cards thead{position:absolute;clip-path:inset(50%)}.cards thead:has(a){display:block;position:static;clip-path:none}.cards thead th:not(:has(a)){display:none}.cards thead th{border:0;padding:0}.cards tr{display:flex;flex-wrap:wrap;gap:.1rem 1.25rem;padding-block:.5rem;border-block-end:1px solid var(--line)}.cards td,.cards th[scope=row]{border:0;padding:0;min-inline-size:0}.cards th[scope=row]{inline-size:100%}.cards [data-label]::before{content:attr(data-label) " ";color:var(--soft);font-size:.875rem}.rule{white-space:normal}}
@media print{header.site,footer.site,.skip,form,button{display:none}pre{white-space:pre-wrap}main{max-inline-size:none}a{color:inherit}}

/* Trees, graphs and filters. Shapes say what colours say. */
.controls{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:end;margin-block:.5rem 1rem}
.controls label{display:inline-flex;flex-wrap:wrap;gap:.25rem .5rem;align-items:center;max-inline-size:100%}
.controls select,.controls input{max-inline-size:100%}
.tree{list-style:none;padding-inline-start:0}
.tree .tree{padding-inline-start:1.25rem;border-inline-start:1px solid var(--line);margin-block:0}
.tree li{padding-block:.2rem}
.names{list-style:none;padding:0}
.names li{padding-block:.15rem}
.kind{font-size:.75rem;color:var(--soft);border:1px solid;border-radius:3px;padding:0 .3em}
.kind:is(.function,.method,.constructor,.macro,.operator){color:var(--bar)}
.kind:is(.class,.interface,.struct,.trait,.typeAlias,.enum,.union,.record){color:var(--bar-4)}
.kind:is(.constant,.variable,.property,.field,.enumMember){color:var(--bar-2)}
.exported{font-size:.75rem;border:1px solid var(--good);color:var(--good);border-radius:3px;padding:0 .3em}
.graph{position:relative;margin-block:.5rem}
.zoom{position:relative;display:flex;flex-wrap:wrap;gap:.375rem;margin-block:-2.5rem .75rem;padding-inline:.5rem;inline-size:fit-content}
.zoom>*{display:inline-flex;align-items:center;font-size:.875rem;padding:0 .6rem;min-block-size:2rem}
.frame{position:relative;block-size:clamp(22rem,70svh,46rem);overflow:hidden;overflow:clip;border:1px solid var(--line);border-radius:var(--radius);touch-action:none;cursor:grab;direction:ltr}
.frame[aria-busy]{cursor:progress}
.canvas{position:absolute;inset-block-start:0;left:0;transform-origin:0 0}
.canvas svg{position:absolute;overflow:visible;inline-size:1px;block-size:1px}
.canvas path{fill:none;stroke:var(--soft);opacity:.75}
.canvas .types{stroke-dasharray:5 3}
.canvas path.cycle{stroke:var(--error)}
.lit path:not(.near){opacity:.15}
.lit .near{opacity:1}
.node{position:absolute;left:0;inset-block-start:0;max-inline-size:12rem;padding:.2rem .6rem;border:1px solid var(--soft);border-radius:var(--radius);background:var(--raised);color:var(--text);text-decoration:none;font-size:.875rem;line-height:1.25;inline-size:max-content}
.node:hover b{text-decoration:underline}
.node.open{border:2px solid var(--strong);background:var(--ground)}
.node.cycle{border:3px double var(--error)}
.node b{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;font-weight:500;overflow-wrap:anywhere}
.node.open b{font-weight:700}
.node small{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-size:.6875rem}
.node i{position:absolute;inset-block-start:-.6rem;right:-.5rem;padding:0 .3rem;font-style:normal;font-size:.6875rem;color:var(--strong);background:var(--ground);border:1px solid var(--line);border-radius:1rem}
@media (prefers-reduced-motion:no-preference){.moving,.moving .node{transition:transform .25s}}
@media (scripting:none){.graph{display:none}}
@media (max-width:48rem){.node{max-inline-size:9.5rem;font-size:.8125rem}.frame{block-size:clamp(20rem,60svh,40rem)}}
.place{overflow-wrap:anywhere}
.highlights{padding-inline-start:1.25rem}
.boxes{list-style:none;padding-inline-start:0}
.boxes li{padding-block:.35rem;border-block-end:1px solid var(--line)}
@media (forced-colors:active){.canvas path{stroke:CanvasText}}
`.trimStart();
