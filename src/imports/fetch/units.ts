/** The settings of a publisher that a person may name: `ecb`, `fred PAYEMS`, `treasury start=2015`, `alfred PAYEMS vintages=2020-01..`. */
import { hintFor } from '../../contract/words/nearest.ts';
import { MacroError } from '../../errors.ts';
import type { ImportFormat } from '../format.ts';
import { formatNamed, IMPORT_FORMATS } from '../formats.ts';
import { dateIn } from '../read/cells.ts';
import type { Download } from './download.ts';

/** A unit to fetch: a file, or the files of several years or vintages of one series. */
export interface FetchUnit {
  readonly format: ImportFormat;
  readonly download: Download;
  /** As the publisher spells it; empty where the format has none. */
  readonly id: string;
  /** First date that is asked for. */
  readonly start: string | undefined;
  /** First and last day of the vintages. */
  readonly vintages: { readonly from: string; readonly to: string | undefined } | undefined;
  /** Currency of series that no table of the program has. */
  readonly as: string | undefined;
  /** The words that name it. */
  readonly name: string;
}

/** A format whose address, contact and the like a person may set. */
export interface PublisherSetting {
  readonly address?: string;
  readonly contact?: string;
}

export type PublisherSettings = Readonly<Record<string, PublisherSetting>>;

const SETTINGS = ['start', 'vintages', 'as'] as const;

/**
 * The units of one selection; undefined where its first word names no publisher's format.
 * @throws MacroError of kind `usage`.
 */
export function readUnits(
  words: readonly string[],
  settings: PublisherSettings = {},
): readonly FetchUnit[] | undefined {
  const [first, ...others] = words;
  const format = formatNamed(first?.toLowerCase() ?? '');
  if (!format?.download) return undefined;
  const download = askedAt(format.download, settings[format.id]?.address);
  if (download.address === undefined) throw fetchedByHand(format, download);
  const typed = others.filter((word) => word.includes('='));
  const facts = settingsIn(format, typed);
  const ids = idsIn(
    format,
    download,
    others.filter((word) => !word.includes('=')),
  );
  return ids.map((id) => ({
    format,
    download,
    id,
    start: facts.start,
    vintages: facts.vintages,
    as: facts.as,
    name: [format.id, ...(id === '' || isOnlyDefault(download, id) ? [] : [id]), ...typed].join(' '),
  }));
}

const isOnlyDefault = ({ ids }: Download, id: string): boolean => ids?.defaults.length === 1 && ids.defaults[0] === id;

/**
 * The same files elsewhere. An address that ends with `/` replaces the publisher's site in all requests. Any other one
 * is the address of the file; its smaller relatives and its page of links are then not requested.
 */
export function askedAt(download: Download, address: string | undefined): Download {
  if (address === undefined) return download;
  const { link, recent, vintages, ...own } = download;
  // Some importers read a file's name.
  const [, file = own.file] = /\/([^/?#]+\.\w+)(?:[?#]|$)/.exec(address) ?? [];
  if (!address.endsWith('/')) return { ...own, address, file, ...(vintages && { vintages }) };
  const moved = (original: string) => original.replace(/^https:\/\/[^/]+\//, address);
  return {
    ...download,
    ...(own.address !== undefined && { address: moved(own.address) }),
    ...(recent && { recent: { ...recent, address: moved(recent.address) } }),
    ...(vintages && { vintages: { ...vintages, address: moved(vintages.address) } }),
  };
}

/** The formats that a publisher offers, for messages and settings. */
export const FETCHABLE_FORMATS: readonly string[] = IMPORT_FORMATS.flatMap(({ id, download }) => (download ? id : []));

/** @returns the refusal of a format without a lasting address */
export function fetchedByHand({ id }: ImportFormat, { page, file }: Download): MacroError {
  return new MacroError('usage', `No lasting address of ${file} is known, so it is fetched by hand.`, {
    code: 'no_address',
    hint: `Get it from ${page}, then: macro import ${id} FILE. Or keep an address: macro config set publishers.${id}.address URL`,
  });
}

function idsIn({ id: format }: ImportFormat, { ids, page }: Download, words: readonly string[]): readonly string[] {
  if (!ids) {
    if (words.length === 0) return [''];
    throw wrongWords(
      `macro import ${format} takes no words: '${words.join(' ')}'.`,
      `Fetch it with: macro import ${format}`,
    );
  }
  if (words.length === 0 && ids.defaults.length > 0) return ids.defaults;
  if (words.length === 0)
    throw wrongWords(
      `${format} needs ${ids.doc}.`,
      `For example: macro import ${format} ${ids.example ?? ''}. They stand at ${page}`,
    );
  const spelled = words.map((word) => {
    const known = ids.defaults.find((one) => one.toLowerCase() === word.toLowerCase());
    return known ?? word.toUpperCase();
  });
  const wrong = spelled.findIndex((word) => !ids.defaults.includes(word) && !ids.pattern.test(word));
  if (wrong < 0) return [...new Set(spelled)];
  throw wrongWords(
    `'${words[wrong]}' is neither a file nor ${ids.doc}.`,
    hintFor(words[wrong] ?? '', ids.defaults, `Ids stand at ${page}`),
  );
}

function settingsIn(format: ImportFormat, typed: readonly string[]) {
  const found: { start?: string; vintages?: { from: string; to: string | undefined }; as?: string } = {};
  for (const word of typed) {
    const [name = '', value = ''] = [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)];
    if (name === 'start' && takesStart(format.download)) found.start = readDay(value, name);
    else if (name === 'vintages' && format.download?.vintages) found.vintages = readRange(value);
    else if (name === 'as' && format.takes === 'as') found.as = readCurrency(value);
    else throw wrongWords(`${format.id} takes no ${name}.`, `Legal: ${legalSettings(format).join(', ') || 'none'}.`);
  }
  if (format.download?.vintages && !found.vintages)
    throw wrongWords(
      `${format.id} needs the first vintage.`,
      `For example: macro import ${format.id} ${format.download.ids?.example ?? ''} --vintages 2020-01..`,
    );
  return { start: found.start, vintages: found.vintages, as: found.as };
}

const takesStart = (download: Download | undefined): boolean => /\{(?:year|from)/.test(download?.address ?? '');

function legalSettings({ download, takes }: ImportFormat): readonly string[] {
  const are = { start: takesStart(download), vintages: download?.vintages !== undefined, as: takes === 'as' };
  return SETTINGS.filter((name) => are[name]);
}

/** A currency as its code. @throws MacroError of kind `usage`. */
export function readCurrency(text: string): string {
  if (/^[a-z]{3}$/i.test(text)) return text.toUpperCase();
  throw wrongWords(`'${text}' is no currency.`, 'Write its code: jpy');
}

function readRange(text: string): { readonly from: string; readonly to: string | undefined } {
  const [, from = '', to = ''] = /^(\S+?)(?:\.\.(\S*))?$/.exec(text) ?? [];
  return { from: readDay(from, 'vintages'), to: to === '' ? undefined : readDay(to, 'vintages') };
}

/** The first day of a year, a month or a day. */
function readDay(text: string, name: string): string {
  const day = dateIn(text, 'YYYY-MM-DD') ?? dateIn(text, 'YYYY-MM') ?? dateIn(text, 'YYYY');
  if (day !== undefined) return day;
  throw wrongWords(`'${text}' is no date for ${name}.`, 'Give a year, a month or a day: 2020, 2020-01, 2020-01-15.');
}

function wrongWords(message: string, hint: string): MacroError {
  return new MacroError('usage', message, { code: 'bad_words', hint });
}
