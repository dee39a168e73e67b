/**
 * How a score came about, for people: a bar of its parts, and a table that adds up to it.
 *
 * Pure: an explanation of the search in, HTML out.
 */
import type { Explanation, WordScore } from "../../core/search/answer.ts";
import { roundTo } from "../../render/numbers.ts";
import { type Html, html } from "./html.ts";

/** Terms shown of a word that stands for several. */
const MAX_TERMS = 5;
const DIGITS = 2;
/** Units of the bar's drawing: a thousandth of the highest score each. */
const BAR_WIDTH = 1000;
const FIELDS = ["body", "title", "path", "description"] as const;

/** @param highest The highest score on the page, which has a bar of the whole width. */
export function writeExplanation(explanation: Explanation, score: number, highest: number): Html {
  const { words, wholeTitle, pairs, sections, sectionsTotal, collectionWeight } = explanation;
  const parts = listParts(explanation);
  return html`<div class="explain">${writeBar(parts, highest)}
<details><summary>Score ${shown(score)}, part by part</summary>
<div class="table" tabindex="0"><table><caption class="hidden">Parts of the score</caption>
<thead><tr><th scope="col">Part</th>${FIELDS.map((field) => html`<th scope="col" class="number">${field}</th>`)}<th scope="col" class="number">sum</th></tr></thead>
<tbody>${words.map((word) => writeWord(word))}
${wholeTitle !== 0 && writeSum("The query is the title", wholeTitle)}
${pairs !== 0 && writeSum("Words that stand together", pairs)}
${sectionsTotal !== 0 && writeSum("Best sections", sectionsTotal)}
${collectionWeight !== 1 && html`<tr><th scope="row">Weight of the collection</th><td class="number" colspan="5">× ${shown(collectionWeight)}</td></tr>`}
</tbody></table></div>
${
  sections.some(({ share }) => share > 0) &&
  html`<div class="table" tabindex="0"><table><caption class="small">What the best sections add: the sum of each, times its share</caption>
<thead><tr><th scope="col">Section</th><th scope="col" class="number">share</th><th scope="col" class="number">text</th><th scope="col" class="number">heading</th><th scope="col" class="number">title</th><th scope="col" class="number">coverage</th></tr></thead>
<tbody>${sections.map(
    ({ ordinal, share, text, heading, title, coverage }) =>
      html`<tr><th scope="row">n${ordinal}</th>${[share, text, heading, title, coverage].map(writeNumber)}</tr>`,
  )}</tbody></table></div>`
}
</details></div>`;
}

interface Part {
  readonly name: string;
  readonly value: number;
}

function listParts({ words, wholeTitle, pairs, sectionsTotal, collectionWeight }: Explanation): Part[] {
  const fields = FIELDS.map((name) => ({ name, value: words.reduce((sum, word) => sum + word[name], 0) }));
  const others = [
    { name: "whole title", value: wholeTitle },
    { name: "pairs", value: pairs },
    { name: "sections", value: sectionsTotal },
  ];
  return [...fields, ...others].map(({ name, value }) => ({ name, value: value * collectionWeight }));
}

/** A drawing, since widths in a style would need an inline one. */
function writeBar(parts: readonly Part[], highest: number): Html {
  const scale = highest > 0 ? BAR_WIDTH / highest : 0;
  let at = 0;
  const drawn = parts.map(({ value }, index) => {
    const width = Math.max(0, Math.round(value * scale));
    const x = at;
    at += width;
    return width > 0 && html`<rect class="part-${index}" x="${x}" width="${width}" height="10"/>`;
  });
  const named = parts.flatMap(({ name, value }, index) => (value > 0 ? [{ name, value, index }] : []));
  return html`<svg class="parts" viewBox="0 0 ${BAR_WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">${drawn}</svg>
<ul class="legend">${named.map(
    ({ name, value, index }) =>
      html`<li><svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><rect class="part-${index}" width="10" height="10"/></svg> ${name} ${shown(value)}</li>`,
  )}</ul>`;
}

function writeWord(score: WordScore): Html {
  const { word, terms } = score;
  const others = terms.filter((term) => term !== word).slice(0, MAX_TERMS);
  const sum = FIELDS.reduce((total, field) => total + score[field], 0);
  return html`<tr><th scope="row"><code>${word}</code>${others.length > 0 && html` <small>${others.join(", ")}</small>`}</th>${FIELDS.map((field) => writeNumber(score[field]))}${writeNumber(sum)}</tr>`;
}

function writeSum(name: string, value: number): Html {
  return html`<tr><th scope="row">${name}</th><td class="number" colspan="5">${shown(value)}</td></tr>`;
}

function writeNumber(value: number): Html {
  return html`<td class="number">${value === 0 ? "" : shown(value)}</td>`;
}

function shown(value: number): string {
  return roundTo(value, DIGITS).toFixed(DIGITS);
}
