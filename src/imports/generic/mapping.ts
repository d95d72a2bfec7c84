/** The user's description of a table's columns: typed as options, or stored in a file that can be shared. */
import type { Json, JsonObject } from '../../contract/json/json.ts';
import { isCalendarDate } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import { DATE_SPELLINGS, type DateSpelling } from '../read/cells.ts';
import { PERIODS, type Period } from './release-rule.ts';

export interface CsvMapping {
  /** The question that the rows answer: `announcements usd inflation`. */
  readonly as: string;
  /** Columns by their title, or by their number from 1 where no title is the same. */
  readonly date: string;
  readonly value: string;
  readonly vintage: string | undefined;
  /** Dates stand as titles of columns, and each line is a series. */
  readonly wide: boolean;
  /** A cell of the one line that is read. */
  readonly row: string | undefined;
  /** Undefined: the spelling that reads the first dates of the file. */
  readonly dateFormat: DateSpelling | undefined;
  readonly decimal: (typeof DECIMALS)[number];
  readonly separator: ',' | ';' | '\t';
  readonly encoding: (typeof ENCODINGS)[number];
  readonly missing: readonly string[];
  /** Undefined: the period of the dates' spelling. */
  readonly period: Period | undefined;
  readonly publisher: string;
  readonly unit: string | undefined;
  readonly releaseRule: string | undefined;
  readonly begins: string | undefined;
}

const DECIMALS = ['.', ','] as const;
const ENCODINGS = ['utf-8', 'windows-1250', 'windows-1252'] as const;

/** Members of a mapping file, and what each may be. The options have the same names. */
const MEMBERS: Readonly<Record<string, readonly string[] | 'text' | 'texts' | 'date' | 'switch'>> = {
  as: 'text',
  date: 'text',
  value: 'text',
  vintage: 'text',
  wide: 'switch',
  row: 'text',
  'date-format': DATE_SPELLINGS,
  decimal: DECIMALS,
  separator: [',', ';', 'tab'],
  encoding: ENCODINGS,
  missing: 'texts',
  period: PERIODS,
  publisher: 'text',
  unit: 'text',
  'release-rule': 'text',
  begins: 'date',
};

export const MAPPING_MEMBERS: readonly string[] = Object.keys(MEMBERS);

/** Checks the members of a mapping, wherever they were said. @throws MacroError of kind `usage`. */
export function readMapping(json: JsonObject): CsvMapping {
  for (const [name, value] of Object.entries(json)) checkMember(name, value);
  const text = (name: string) => (typeof json[name] === 'string' ? json[name] : undefined);
  const required = (name: string) => text(name) ?? refuseMissing(name);
  const oneOf = <T extends string>(name: string, legal: readonly T[]) => legal.find((one) => one === text(name));
  const wide = json.wide === true;
  const separator = text('separator');
  const mapping: CsvMapping = {
    as: required('as'),
    date: wide ? '' : required('date'),
    value: wide ? '' : required('value'),
    vintage: text('vintage'),
    wide,
    row: text('row'),
    dateFormat: oneOf('date-format', DATE_SPELLINGS),
    decimal: oneOf('decimal', DECIMALS) ?? '.',
    separator: separator === 'tab' ? '\t' : separator === ';' ? ';' : ',',
    encoding: oneOf('encoding', ENCODINGS) ?? 'utf-8',
    missing: ['', ...(Array.isArray(json.missing) ? json.missing.map(String) : [])],
    period: oneOf('period', PERIODS),
    publisher: text('publisher') ?? 'csv',
    unit: text('unit'),
    releaseRule: text('release-rule'),
    begins: text('begins'),
  };
  const { vintage, row, releaseRule } = mapping;
  if (vintage !== undefined && releaseRule !== undefined)
    throw wrong('vintage and release-rule exclude each other: a vintage says itself when it was known');
  if (wide && vintage !== undefined)
    throw wrong('wide and vintage exclude each other: a line has one value for each date');
  if (row !== undefined && !wide) throw wrong('row belongs to wide, whose lines are series');
  return mapping;
}

function checkMember(name: string, value: Json | undefined): void {
  const kind = MEMBERS[name];
  if (kind === undefined) throw wrong(`'${name}' is no member of it`);
  if (kind === 'texts') {
    if (!Array.isArray(value) || value.some((one) => typeof one !== 'string'))
      throw wrong(`${name} must be a list of texts`);
    return;
  }
  if (kind === 'switch') {
    if (typeof value !== 'boolean') throw wrong(`${name} must be true or false`);
    return;
  }
  if (typeof value !== 'string' || value === '') throw wrong(`${name} must be a text`);
  if (kind === 'date' && !isCalendarDate(value)) throw wrong(`${name} must be a date such as 2020-01-31`);
  if (Array.isArray(kind) && !kind.includes(value)) throw wrong(`${name} must be one of ${kind.join(', ')}`);
}

function refuseMissing(name: string): never {
  throw wrong(`it has no ${name}`, { missingParts: name });
}

function wrong(what: string, extra: Readonly<Record<string, string>> = {}): MacroError {
  return new MacroError('usage', `The mapping of the table cannot be used: ${what}.`, {
    code: 'bad_mapping',
    extra,
    hint: `Say it as options or in a file for --mapping. Members: ${MAPPING_MEMBERS.join(', ')}.`,
  });
}
