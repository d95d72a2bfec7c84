import type { Endpoint } from './endpoint.ts';

/** An endpoint that stands at an address, with the words of its path. */
export interface Match {
  readonly endpoint: Endpoint;
  readonly path: Readonly<Record<string, string>>;
}

/** The endpoint at a path like `/v1/forex/eur/usd`: a last slash is ignored, the most specific path wins. */
export function matchPath(endpoints: readonly Endpoint[], path: string): Match | undefined {
  const parts = partsOf(path);
  if (parts.some((part) => part === undefined)) return undefined;
  const fits = endpoints.flatMap((endpoint) => {
    const words = wordsAt(endpoint.path.split('/').slice(1), parts.map(String));
    return words ? [{ endpoint, path: words }] : [];
  });
  return fits.sort((a, b) => Object.keys(a.path).length - Object.keys(b.path).length)[0];
}

/** Decoded parts of a path; undefined for a part that cannot be decoded. */
function partsOf(path: string): readonly (string | undefined)[] {
  return path
    .replace(/\/$/, '')
    .split('/')
    .slice(1)
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return undefined;
      }
    });
}

function wordsAt(template: readonly string[], parts: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (template.length !== parts.length) return undefined;
  const words: Record<string, string> = {};
  for (const [i, expected] of template.entries()) {
    const part = parts[i] ?? '';
    const name = /^\{(\w+)\}$/.exec(expected)?.[1];
    if (name === undefined ? expected !== part : part === '') return undefined;
    if (name !== undefined) words[name] = part;
  }
  return words;
}
