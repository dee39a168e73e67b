/**
 * What answers look like: chips, rows of pages and sections, marks. They come with the rows, so that pages without a search do without;
 * `styles.ts` has the rest.
 */
export const ANSWER_STYLES = `
[part=chips],[part=facet]{display:flex;flex-wrap:wrap;align-items:center;gap:.4em}
[part=bar]{display:flex;gap:1em;padding:.5em 1em;min-height:3.1em;border-block-end:1px solid var(--_line);flex:none}
[part=total]{flex:none;line-height:2.4em;font-size:.8125em;color:var(--_muted)}
[part=chips]{flex:1;min-width:0;gap:.4em 1em;max-height:7.5em;overflow-y:auto}
[data-late]{overflow:auto hidden;scrollbar-width:none}
[data-late] :is([part=chips],[part=facet],[part~=chip]){flex:none;flex-wrap:nowrap;overflow:visible}
[part~=chip-chosen]{background:var(--_tint);border-color:var(--_accent)}
[part~=chip-chosen]::after{content:"×";font-size:1.15em}
[part=facet-name]{font-size:.8125em;color:var(--_muted)}
[part=count]{color:var(--_muted);font-size:.9em}
[part=group]+[part=group]{margin-block-start:.25em;padding-block-start:.25em;border-block-start:1px solid var(--_line)}
[part~=section]{margin-inline-start:1.25em}
[part~=section]>svg{width:1.05em}
[part=text]{flex:1;min-width:0;display:grid;gap:.1em}
[part=title]{font-weight:600;line-height:1.4;max-height:4.2em;overflow:hidden}
[part~=section] [part=title]{font-weight:500}
[part=label]{font-size:.75em;font-weight:400;padding:.1em .5em;border:1px solid var(--_line);border-radius:1em;color:var(--_muted)}
[part=path],[part=excerpt]{font-size:.875em;line-height:1.45;color:var(--_muted)}
[part=excerpt]{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
mark{background:var(--_mark);color:inherit;border-radius:.15em}
[part=excerpt] mark{color:var(--_text)}
[part~=more]{justify-content:center;color:var(--_accent);font-weight:500}
@media (min-width:40.01rem){dialog[data-part]{height:100%}[data-part] [part=body]{flex:1}}
@media (max-width:40rem){[part=bar]{overflow:auto hidden;align-items:center;min-height:3.7em}[part=bar] :is([part=chips],[part=facet],[part~=chip]){flex:none;flex-wrap:nowrap;overflow:visible}[part~=chip]{min-height:2.5em}}
@media (max-height:20rem){[part=bar]{padding-block:.2em;min-height:0!important}[part~=chip]{min-height:2em!important}}
@media (forced-colors:active){[part~=chip-chosen]{border:2px solid Highlight}mark{background:Mark;color:MarkText}[part=excerpt] mark{color:MarkText}}
`;
