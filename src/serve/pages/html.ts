// Text as HTML: everything that is put into a page is escaped, unless it was made here.

/** HTML that is safe to send. */
export interface SafeHtml {
  readonly html: string;
}

type HtmlValue = string | number | SafeHtml | readonly SafeHtml[];

/** A template whose values are escaped. */
export function html(texts: TemplateStringsArray, ...values: readonly HtmlValue[]): SafeHtml {
  return { html: texts.map((text, i) => (i === 0 ? text : htmlOf(values[i - 1] ?? '') + text)).join('') };
}

function htmlOf(value: HtmlValue): string {
  if (Array.isArray(value)) return value.map(htmlOf).join('');
  if (typeof value === 'object') return 'html' in value ? value.html : '';
  return String(value).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
