import type { Endpoint } from '../../contract/endpoint.ts';
import type { Args, ArgValue } from '../../contract/params/params.ts';
import { MacroError } from '../../errors.ts';

/** The HTTP request of a question. */
export interface WireRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query after the base address. */
  readonly target: string;
  /** JSON text. */
  readonly body: string | undefined;
}

/** The request of a question: its arguments stand in a body where the endpoint takes one, else in the query. */
export function requestOf(endpoint: Endpoint, args: Args, extra?: Readonly<Record<string, string>>): WireRequest {
  if (!endpoint.post) return { method: 'GET', target: targetOf(endpoint, args, extra), body: undefined };
  const path = Object.fromEntries(Object.keys(endpoint.at).map((name) => [name, args[name]]));
  return {
    method: 'POST',
    target: targetOf(endpoint, path, extra),
    body: JSON.stringify(endpoint.post.toBody(args)),
  };
}

/** Query names that older clients put a key under: a URL ends up in logs. */
export const KEY_NAMES: ReadonlySet<string> = new Set(['api_key', 'apikey', 'x-api-key', 'authorization']);

/** Path and query of a question in the order of the contract, further parameters last; undefined ones are left out. */
export function targetOf(endpoint: Endpoint, args: Args, extra: Readonly<Record<string, string>> = {}): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => pathPart(endpoint, name, args[name]));
  const known = Object.keys(endpoint.query).flatMap((name) => pair(name, args[name]));
  const unknown = Object.keys(extra)
    .sort()
    .flatMap((name) => pair(checkExtra(endpoint, name), extra[name]));
  const query = [...known, ...unknown].join('&');
  return query === '' ? path : `${path}?${query}`;
}

function pathPart(endpoint: Endpoint, name: string, value: ArgValue | undefined): string {
  const text = value === undefined ? '' : wireText(value);
  // An empty or dotted part would name another path.
  if (/^\.{0,2}$/.test(text))
    throw new MacroError('usage', `${endpoint.id} cannot be asked with ${name} '${text}'.`, {
      hint: `Give a value for ${name}; see the --help of the command.`,
    });
  return encodeURIComponent(text);
}

function pair(name: string, value: ArgValue | undefined): readonly string[] {
  if (value === undefined) return [];
  // Commas are legal in a query and are how lists are written; escaped ones read badly.
  return [`${encodeURIComponent(name)}=${encodeURIComponent(wireText(value)).replaceAll('%2C', ',')}`];
}

function wireText(value: ArgValue): string {
  return typeof value === 'object' ? value.join(',') : String(value);
}

function checkExtra(endpoint: Endpoint, name: string): string {
  if (KEY_NAMES.has(name.toLowerCase()))
    throw new MacroError('usage', `A key is never sent as the parameter ${name}: URLs end up in logs.`, {
      hint: 'Give the key with MACRO_API_KEY or: macro auth login',
    });
  if (Object.hasOwn(endpoint.query, name))
    throw new MacroError('usage', `${name} is a known parameter of ${endpoint.id}, not an extra one.`, {
      hint: `Give it by its own option; see the --help of the command.`,
    });
  return name;
}
