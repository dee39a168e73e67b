/**
 * The template that pages are written with. All that is put into it is escaped, and stripped of characters that nobody sees:
 * texts of an index are other people's, whatever they hold.
 *
 * There is no way past it: nothing here takes a text for HTML.
 */
import { html as write } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { cleanLongText } from "../../surface/render/text.ts";

export type Html = HtmlEscapedString;

/** What can be put into a template: a text, a number, pieces of a page, nothing. */
export type Shown = Html | string | number | false | undefined | readonly Shown[];

/** A piece of a page. Values are escaped and cleaned, lists of them put one behind another. */
export function html(strings: TemplateStringsArray, ...values: readonly Shown[]): Html {
  const written = write(strings, ...values.map(clean));
  // Only a value that is a promise could make it one, and no value is.
  if (written instanceof Promise) throw new TypeError("a template was given a promise");
  return written;
}

function clean(value: Shown): Shown {
  if (Array.isArray(value)) return value.map(clean);
  return typeof value === "string" ? cleanLongText(value).text : value;
}
