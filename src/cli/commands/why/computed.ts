import { cutBody, patchRow } from '../../../contract/json/body.ts';
import { isJsonObject, type JsonObject, objectIn, toJsonText } from '../../../contract/json/json.ts';
import { memberTexts } from '../../../contract/json/scan.ts';
import { readParams } from '../../../contract/params/read-params.ts';
import curve from '../../../endpoints/curves/curve.ts';
import differential from '../../../endpoints/curves/differential.ts';
import forex from '../../../endpoints/fx/forex.ts';
import sentiment from '../../../endpoints/sentiment/sentiment.ts';
import { MacroError } from '../../../errors.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import { LABELS } from '../../../source/labels.ts';
import { createMirrorSource } from '../../../source/mirror.ts';
import type { Question } from '../../../source/source.ts';

export interface AnswerLeg {
  readonly currency: string;
  readonly indicator: string;
  readonly date: string;
}

interface Answer {
  readonly question: Question;
  readonly rows: readonly JsonObject[];
  readonly envelope: JsonObject;
}

interface Formula {
  readonly how: string;
  readonly legs?: readonly AnswerLeg[];
  /** Member of the row that is the number; undefined for an answer of several. */
  readonly val?: string;
}

type Explain = (answer: Answer, rateOf: RateOf) => Promise<Formula | undefined> | Formula | undefined;
/** The rate of a pair on the date of the question. */
type RateOf = (base: string, quote: string) => Promise<number | undefined>;

const FORMULAS: Readonly<Record<string, Explain>> = {
  [forex.id]: crossFormula,
  [curve.id]: curveFormula,
  [differential.id]: differentialFormula,
  [sentiment.id]: sentimentFormula,
};

/** The computed number of an answer with its formula; undefined for one as published, and where nothing is stored. */
export async function explainComputed(
  mirror: Mirror,
  { question, row, now }: { question: Question; row: string; now: number },
) {
  const explain = FORMULAS[question.endpoint.id];
  if (!explain) return undefined;
  const source = createMirrorSource({ mirror, labels: LABELS });
  const ask = async (asked: Question) => {
    try {
      const { body } = await source.ask(asked, { caller: { kind: 'owner' }, now });
      const { envelope, rows } = cutBody(asked.endpoint.body, body);
      return { envelope, rows };
    } catch (error) {
      // Stored series are explained by themselves; missing ones are reported only if none is stored.
      if (error instanceof MacroError) return undefined;
      throw error;
    }
  };
  const reply = await ask(question);
  const [first] = reply?.rows ?? [];
  if (!reply || !first) return undefined;
  const rateOf: RateOf = async (base, quote) => {
    const path = { base, quote };
    const { args } = readParams(forex, { path, query: { start_date: row, end_date: row } }, { mode: 'liberal', now });
    const value = (await ask({ endpoint: question.endpoint, args }))?.rows[0]?.value.val;
    return typeof value === 'number' ? value : undefined;
  };
  const rows = reply.rows.map(({ value }) => value);
  const formula = await explain({ question, rows, envelope: reply.envelope }, rateOf);
  if (!formula) return undefined;
  const words = [
    ...(question.endpoint.cli?.words ?? []),
    ...Object.keys(question.endpoint.at).map((name) => question.args[name]),
  ];
  const [val] = formula.val === undefined ? [] : memberTexts(first.text, [formula.val]);
  const head = {
    series: words.join(' ').toLowerCase(),
    date: row,
    how: formula.how,
    request: 'none',
    origin: 'computed',
  };
  const text = toJsonText(formula.val === undefined ? '' : first.text);
  // Without legs, every series that the answer reads has its row on the same date.
  return { text: patchRow(toJsonText(head), { val, text }), legs: formula.legs };
}

/** `EUR/JPY 167.19 / EUR/GBP 0.942`: a leg is a factor where it has a currency on the side that the pair has it on. */
async function crossFormula({ question, rows }: Answer, rateOf: RateOf): Promise<Formula | undefined> {
  const source = objectIn(rows[0]?.source);
  if (source.is_derived !== true || typeof source.source_pair !== 'string') return undefined;
  const { base, quote } = question.args;
  const legs = await Promise.all(
    source.source_pair.split(',').map(async (pair) => {
      const [first = '', second = ''] = pair.split('/');
      return { pair, isFactor: first === base || second === quote, value: await rateOf(first, second) };
    }),
  );
  const termOf = ({ pair, value }: (typeof legs)[number]) => (value === undefined ? pair : `${pair} ${value}`);
  const factors = legs.filter(({ isFactor }) => isFactor).map(termOf);
  const divisors = legs.filter(({ isFactor }) => !isFactor).map(termOf);
  return { how: [factors.join(' * ') || '1', ...divisors].join(' / '), val: 'val' };
}

function curveFormula({ rows, question }: Answer): Formula {
  const currency = String(question.args.currency).toLowerCase();
  return {
    how: `the newest yield of each of ${rows.length} maturities, none of them computed`,
    legs: rows.map(({ indicator, date }) => ({ currency, indicator: String(indicator), date: String(date) })),
  };
}

function differentialFormula({ rows, envelope, question }: Answer): Formula {
  const [row = {}] = rows;
  const sides = [
    { currency: question.args.base, indicator: envelope.base_indicator, value: row.base_val },
    { currency: question.args.quote, indicator: envelope.quote_indicator, value: row.quote_val },
  ];
  return {
    how: sides.map(({ currency, indicator, value }) => `${currency} ${indicator} ${value}`).join(' - '),
    legs: sides.map(({ currency, indicator }) => ({
      currency: String(currency).toLowerCase(),
      indicator: String(indicator),
      date: String(row.date),
    })),
    val: 'spread' in row ? 'spread' : 'differential',
  };
}

function sentimentFormula({ rows }: Answer): Formula | undefined {
  const parts = Object.entries(objectIn(rows[0]?.components)).filter(([, value]) => typeof value === 'number');
  if (parts.length === 0 || !isJsonObject(rows[0])) return undefined;
  return { how: `sum of ${parts.map(([name, value]) => `${name} ${value}`).join(', ')}`, val: 'val' };
}
