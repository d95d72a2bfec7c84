import { isJsonObject, type JsonObject, type JsonText, objectIn } from '../../../contract/json/json.ts';
import { fieldsOf } from '../../print/rows.ts';
import { renderTable } from '../../print/table.ts';
import type { CommandDeclaration } from '../command.ts';

export default [
  {
    path: ['demo'],
    summary: 'Show the main commands at work, without a key or a network',
    examples: ['demo', 'demo --no-color'],
    run: async (app) => (await import('./run-demo.ts')).runDemo(app),
  },
] satisfies readonly CommandDeclaration[];

/** One thing that the demo did. */
export interface Done {
  readonly what: string;
  readonly seconds: number;
}

export interface PageFacts {
  readonly done: readonly Done[];
  /** The newest rates, newest first. */
  readonly rows: readonly JsonText[];
  readonly envelope: JsonObject;
  readonly next: readonly (readonly [command: string, shows: string])[];
  readonly mirror: string;
  readonly color: boolean;
}

const SHOWN = ['date', 'val', 'open', 'high', 'low', 'close', 'sma_20', 'sma_200', 'rsi_14', 'macd'];
const ROWS = 3;
const WIDTH = 100;

/** The one screen that the demo ends with: at most 24 lines, of 100 columns unless a path is longer. */
export function pageText(facts: PageFacts): string {
  const { done, next, mirror } = facts;
  const total = done.reduce((sum, { seconds }) => sum + seconds, 0);
  return [
    'SYNTHETIC DATA: made by a seeded generator. No number here was ever published or traded.',
    '',
    ...done.map(({ what, seconds }, i) => spread(`${i + 1}  ${what}`, duration(seconds))),
    '',
    tableText(facts).trimEnd(),
    indicatorLine(facts.envelope),
    '',
    'Type next:',
    ...commandLines(next),
    '',
    `Done in ${duration(total)}. The synthetic mirror stays at ${mirror}`,
  ].join('\n');
}

function spread(left: string, right: string): string {
  return `${left.padEnd(WIDTH - right.length - 1)} ${right}`;
}

function duration(seconds: number): string {
  return `${seconds.toFixed(1)} s`;
}

function tableText({ rows, envelope, color }: PageFacts): string {
  const pagination = objectIn(envelope.pagination);
  const title = [
    `${envelope.base}/${envelope.quote}`,
    String(envelope.source),
    `${pluralized(Number(pagination.total_count))} daily rates`,
  ];
  return renderTable({
    columns: SHOWN,
    rows: rows.slice(0, ROWS).map(fieldsOf),
    view: { title: [...title, 'SYNTHETIC'] },
    spare: [],
    kinds: {},
    color,
    width: WIDTH,
  });
}

function indicatorLine({ indicators }: JsonObject): string {
  if (!isJsonObject(indicators)) return '';
  const some = ['adx_14', 'atr_14', 'cci_20'].map((name) => `${name} ${indicators[name]}`);
  return `${Object.keys(indicators).length} indicators at the newest rate, among them ${some.join(', ')}`;
}

/** What a command shows stands behind it where the line has room. */
function commandLines(next: PageFacts['next']): readonly string[] {
  return next.map(([command, shows]) => {
    const line = `  ${command}  # ${shows}`;
    return line.length <= WIDTH ? line : `  ${command}`;
  });
}

/** A count with its thousands apart. */
export function pluralized(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
