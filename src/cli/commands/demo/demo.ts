import { isJsonObject, type JsonObject, type JsonText, objectIn } from '../../../contract/json/json.ts';
import { fieldsOf } from '../../print/rows.ts';
import { renderTable } from '../../print/table.ts';
import { grouped } from '../../print/text.ts';
import type { CommandDeclaration } from '../command.ts';

export default [
  {
    path: ['demo'],
    summary: 'Show the main commands at work, without a key or a network',
    examples: ['demo', 'demo --no-color'],
    run: async (app) => (await import('./run-demo.ts')).runDemo(app),
  },
] satisfies readonly CommandDeclaration[];

export interface PageFacts {
  readonly seconds: number;
  /** The newest rates, newest first. */
  readonly rows: readonly JsonText[];
  readonly envelope: JsonObject;
  readonly next: readonly (readonly [command: string, shows: string])[];
  readonly mirror: string;
  readonly color: boolean;
}

const SHOWN = ['date', 'val', 'high', 'low', 'sma_20', 'sma_200', 'rsi_14', 'macd'];
const ROWS = 3;
const WIDTH = 80;

/** The last page of the demo. It fits a screen of 24 lines and 80 columns below the steps, unless a path is long. */
export function pageText(facts: PageFacts): string {
  const { seconds, next, mirror } = facts;
  return [
    'SYNTHETIC DATA: made by a generator. No number here was ever published.',
    '',
    tableText(facts).trimEnd(),
    indicatorLine(facts.envelope),
    '',
    'Type next:',
    ...commandLines(next),
    '',
    `Done in ${seconds.toFixed(1)} s. Its mirror: ${mirror}`,
  ].join('\n');
}

function tableText({ rows, envelope, color }: PageFacts): string {
  const pagination = objectIn(envelope.pagination);
  const title = [
    `${envelope.base}/${envelope.quote}`,
    String(envelope.source),
    `${grouped(Number(pagination.total_count))} daily rates`,
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
  const some = ['adx_14', 'atr_14'].map((name) => `${name} ${indicators[name]}`);
  return `${Object.keys(indicators).length} indicators at the newest rate, among them ${some.join(', ')}`;
}

/** A description follows its command where the line has room. */
function commandLines(next: PageFacts['next']): readonly string[] {
  return next.map(([command, shows]) => {
    const line = `  ${command}  # ${shows}`;
    return line.length <= WIDTH ? line : `  ${command}`;
  });
}
