import type { Endpoint } from '../../contract/endpoint.ts';
import type { Param } from '../../contract/params/params.ts';
import { nearestWord } from '../../contract/params/read-params.ts';
import { hintFor, withGuessed } from '../../contract/words/nearest.ts';
import { type Finding, MacroError } from '../../errors.ts';
import { optionName } from './options.ts';

/** Turns findings about parameters into words of the command line; `meant` are words that have none. @throws MacroError of kind `usage`. */
export function inOptionWords<T>(endpoint: Endpoint, read: () => T, meant?: () => string | undefined): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MacroError) || error.findings.length === 0) throw error;
    const { findings } = error;
    const others = findings.some(({ loc }) => loc[0] === 'path') ? meant?.() : undefined;
    const hints = findings.flatMap((finding) =>
      isRule(endpoint, finding)
        ? ruleHint(paramOf(endpoint, finding), finding)
        : hintOf(paramOf(endpoint, finding), finding),
    );
    throw new MacroError('usage', `${findings.map((finding) => sentenceOf(endpoint, finding)).join('; ')}.`, {
      code: 'bad_arguments',
      status: 422,
      findings,
      hint: others
        ? `These words are in the other order: ${others}`
        : [...new Set(hints)].join(' ') || exampleOf(endpoint),
    });
  }
}

/** A command that asks this endpoint; the command of the stream is not in the contract. */
function exampleOf({ cli, commands }: Endpoint): string {
  const example = cli?.examples[0] ?? commands?.[0];
  return example === undefined
    ? 'See the --help of the command for the legal values.'
    : `For example: macro ${example}`;
}

function paramOf(endpoint: Endpoint, { loc }: Finding): Param | undefined {
  const name = String(loc.at(-1));
  return loc[0] === 'path' ? endpoint.at[name] : endpoint.query[name];
}

function sentenceOf(endpoint: Endpoint, finding: Finding): string {
  const name = String(finding.loc.at(-1));
  const place = finding.loc[0] === 'path' ? name.toUpperCase() : `--${optionName(name)}`;
  if (finding.type === 'missing') return `${place} is needed`;
  if (isRule(endpoint, finding)) {
    const rule = optionWords(endpoint, finding.msg.slice('Value error, '.length));
    return rule.startsWith(place) ? rule : `${place}: ${rule}`;
  }
  const param = paramOf(endpoint, finding);
  return `'${oddWords(param, finding).join(', ')}' is no ${NOUNS[param?.kind ?? ''] ?? 'legal value'} for ${place}${boundsOf(finding)}`;
}

/** The faulty words of an input: in a list, the items that are not in its set. */
function oddWords(param: Param | undefined, finding: Finding): readonly string[] {
  const input = finding.input ?? '';
  const items = input.split(',').map((item) => item.trim());
  const odd = param?.kind === 'choices' ? items.filter((item) => item !== '' && !param.words.includes(item)) : [];
  return odd.length > 0 ? odd : [input];
}

/** True for a rule over several arguments: each of them is legal by itself. */
function isRule(endpoint: Endpoint, finding: Finding): boolean {
  return finding.msg.startsWith('Value error, ') && paramOf(endpoint, finding)?.kind !== 'zone';
}

function ruleHint(param: Param | undefined, { msg }: Finding): readonly string[] {
  if (/must not be after/.test(msg))
    return [
      'The earlier date comes first: --start 2026-01-01 --end 2026-06-30. Without --start the window begins 365 days ago, so add --start for an earlier end.',
    ];
  // A list has rules of its own: the message names the mistake, and the hint shows the form.
  const form = param && (param.kind === 'instants' || param.kind === 'series') ? FORMS[param.kind] : undefined;
  return form === undefined ? [] : [form];
}

const NOUNS: Readonly<Record<string, string>> = {
  currency: 'currency code',
  slug: 'indicator',
  date: 'date',
  instant: 'time',
  instants: 'list of times',
  series: 'list of series',
  integer: 'whole number',
  decimal: 'number',
  boolean: 'yes or no',
  zone: 'time zone',
  choice: 'legal value',
  choices: 'legal value',
};

/** Sentences about parameters name them as options. */
function optionWords(endpoint: Endpoint, text: string): string {
  return Object.keys(endpoint.query).reduce(
    (text, name) => (name.includes('_') ? text.replaceAll(name, `--${optionName(name)}`) : text),
    text,
  );
}

function boundsOf({ ctx }: Finding): string {
  if (ctx?.ge !== undefined) return ` (at least ${ctx.ge})`;
  if (ctx?.le !== undefined) return ` (at most ${ctx.le})`;
  if (ctx?.gt !== undefined) return ` (above ${ctx.gt})`;
  if (ctx?.max_length !== undefined) return ` (at most ${ctx.max_length} characters)`;
  return '';
}

const FORMS: Readonly<Record<string, string>> = {
  date: 'Dates are YYYY-MM-DD, today, ytd, or -90d, -1w, -3m, -2y from today.',
  instant: 'Times are a date, an ISO time such as 2026-03-09T14:00:00Z, now, -6h, -30min, -7d, or Unix seconds.',
  instants: 'Times are dates, ISO times such as 2026-03-09T14:00:00Z, -6h, -7d or Unix seconds, separated by commas.',
  series:
    'Series are written usd/inflation, or usd/inflation:60 with the age in days that a value may have, separated by commas.',
  zone: 'Zones are named like Europe/London.',
  slug: 'Indicators are words like inflation or gdp; macro catalogue usd lists them.',
};

function hintOf(param: Param | undefined, finding: Finding): readonly string[] {
  if (!param) return [];
  const [odd = ''] = oddWords(param, finding);
  const form = FORMS[param.kind];
  if (form) return [withGuessed(nearestWord(odd, param), form)];
  if (finding.loc.at(-1) === 'dataset_version') return ['A version of the data is 64 hex digits, as answers carry it.'];
  if (param.words.length > 0) return [hintFor(odd, param.words, `Legal values are ${param.words.join(', ')}.`)];
  return [];
}
