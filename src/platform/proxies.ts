import { MacroError } from '../errors.ts';
import { isLoopbackHost } from './listening.ts';
import type { Platform } from './platform.ts';

type Env = Platform['env'];

/** The proxy that stands between us and an address. */
export interface Proxy {
  /** Its address for people, without user name and password. */
  readonly shown: string;
  /** The variable that names it. */
  readonly from: string;
}

/** What undici's agent is told. Empty for none: then it asks the environment no more. */
export interface ProxySettings {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** Lower case first, as curl and undici have it. What names a proxy for everything fills what is missing. */
const FOR_ALL = ['all_proxy', 'ALL_PROXY'] as const;
const FOR_HTTP = ['http_proxy', 'HTTP_PROXY', ...FOR_ALL] as const;
const FOR_HTTPS = ['https_proxy', 'HTTPS_PROXY', ...FOR_ALL, 'http_proxy', 'HTTP_PROXY'] as const;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * The proxy that a request to this address goes through; undefined when it goes straight. A program of this machine is asked
 * without one. Throws `usage` for a proxy that we cannot speak to.
 */
export function proxyFor(env: Env, address: string): Proxy | undefined {
  const url = new URL(address);
  const set = firstSet(env, url.protocol === 'https:' ? FOR_HTTPS : FOR_HTTP);
  if (!set || isLoopbackHost(url.hostname) || isExcepted(noProxyOf(env), url)) return undefined;
  const { protocol, host } = readProxy(set);
  return { shown: `${protocol}//${host}`, from: set.from };
}

/** The settings of undici's agent, which decides by itself what goes straight. */
export function proxySettings(env: Env): ProxySettings {
  const speakable = (names: readonly string[]) => {
    const set = firstSet(env, names);
    const url = set && parseProxy(set.value);
    return url && isSpoken(url) ? url.href : '';
  };
  return { httpProxy: speakable(FOR_HTTP), httpsProxy: speakable(FOR_HTTPS), noProxy: noProxyOf(env) };
}

interface SetVariable {
  readonly from: string;
  readonly value: string;
}

function firstSet(env: Env, names: readonly string[]): SetVariable | undefined {
  const from = names.find((name) => env[name]?.trim());
  return from === undefined ? undefined : { from, value: env[from]?.trim() ?? '' };
}

function noProxyOf(env: Env): string {
  return env.no_proxy ?? env.NO_PROXY ?? '';
}

/** `proxy:3128` is an http proxy, as for curl. */
function parseProxy(value: string): URL | undefined {
  const text = value.includes('://') ? value : `http://${value}`;
  return URL.canParse(text) ? new URL(text) : undefined;
}

function isSpoken({ protocol, hostname }: URL): boolean {
  return (protocol === 'http:' || protocol === 'https:') && hostname !== '';
}

/** What stands there may hold a password: no message repeats it. */
function readProxy({ from, value }: SetVariable): URL {
  const url = parseProxy(value);
  if (url && isSpoken(url)) return url;
  const what = url ? `a proxy of the kind ${url.protocol}//, which macro cannot speak to` : 'no address of a proxy';
  throw new MacroError('usage', `${from} names ${what}.`, {
    code: 'bad_proxy',
    hint: 'Give one like HTTPS_PROXY=http://proxy.example:3128 (http:// or https://), or name the host in NO_PROXY.',
  });
}

/** Whether undici's agent sends this straight, by `NO_PROXY`. Only words depend on it: the agent decides for itself. */
function isExcepted(noProxy: string, { protocol, hostname, port }: URL): boolean {
  const host = hostname.replace(/^\[(.+)\]$/, '$1').replace(/(.)\.$/, '$1');
  const target = Number(port) || DEFAULT_PORTS[protocol];
  return noProxy
    .toLowerCase()
    .split(/[,\s]+/)
    .some((entry) => {
      const [, bracketed, plain, entryPort] = /^(?:\[(.+)\]|([^:]*|.*:.*:.*?))(?::(\d+))?$/.exec(entry) ?? [];
      const name = bracketed ?? plain ?? '';
      if (name === '' || (entryPort !== undefined && Number(entryPort) !== target)) return false;
      if (name === '*') return true;
      const domain = name.replace(/^\*?\./, '').replace(/(.)\.$/, '$1');
      return (!name.startsWith('*') && host === domain) || host.endsWith(`.${domain}`);
    });
}
