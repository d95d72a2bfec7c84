import { oneLine } from './text.ts';

/**
 * What the headers of an answer warn of, as one sentence; undefined when nothing. See docs/interface.md#deprecation.
 */
export function deprecationNote(target: string, headers: Headers): string | undefined {
  const deprecation = headers.get('deprecation')?.trim();
  const sunset = dayOf(headers.get('sunset'));
  if ((!deprecation || deprecation.toLowerCase() === 'false') && !sunset) return undefined;
  const since = dayOf(deprecation ?? null);
  const links = readLinks(headers.get('link') ?? '');
  const successor = links.get('successor-version');
  const about = links.get('deprecation');
  const parts = [
    `${target.split('?')[0]} is deprecated${since ? ` since ${since}` : ''}`,
    sunset && `will end on ${sunset}`,
    successor && `is replaced by ${successor}`,
  ];
  return `${parts.filter(Boolean).join(', ')}.${about ? ` See ${about}.` : ''}`;
}

/** `@1790812800` (RFC 9745) or a date, as a day; undefined for anything else, `true` included. */
function dayOf(raw: string | null): string | undefined {
  const text = raw?.trim() ?? '';
  const ms = /^@-?\d{1,11}$/.test(text) ? Number(text.slice(1)) * 1000 : /\d{4}/.test(text) ? Date.parse(text) : NaN;
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10);
}

function readLinks(header: string): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  for (const [, target = '', params = ''] of header.matchAll(/<([^>]*)>((?:\s*;[^,<]*)*)/g)) {
    const rel = /;\s*rel\s*=\s*"?([^";]+)"?/i.exec(params)?.[1] ?? '';
    for (const word of rel.toLowerCase().split(/\s+/)) if (word && !links.has(word)) links.set(word, oneLine(target));
  }
  return links;
}
