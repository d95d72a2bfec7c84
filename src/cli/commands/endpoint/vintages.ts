/** Vintages of an answer as rows: one for each, or periods down and vintages across; and the source of each row. */
import type { SourceRange } from '../../../contract/answer-members.ts';
import { MARK_MEMBER, patchRow } from '../../../contract/json/body.ts';
import {
  asJsonText,
  type JsonText,
  objectText,
  parseObject,
  readJson,
  toJsonText,
} from '../../../contract/json/json.ts';
import { memberSpans, memberTexts } from '../../../contract/json/scan.ts';
import { instantOf, isoSeconds } from '../../../contract/time/time.ts';
import type { Reply } from '../../../source/source.ts';
import type { App } from '../../app/app.ts';
import type { Listing } from '../../print/listing.ts';

/** Lines of a picture that people can tell apart. */
const MAX_DRAWN = 8;

interface AskedAnswer {
  readonly reply: Reply;
  readonly listing: Listing;
}

/** Rows of sheets with a column `origin`, where they come from several sources. */
export function withOrigins({ reply, listing }: AskedAnswer): Listing {
  const { sources = [] } = reply;
  if (sources.length < 2) return listing;
  const rows = Array.from(listing.rows, (row) => {
    const { date } = parseObject(row);
    return patchRow(row, { origin: toJsonText(originOn(sources, String(date)) ?? null) });
  });
  return { ...listing, rows };
}

const originOn = (sources: readonly SourceRange[], date: string): string | undefined =>
  sources.find(({ from, to }) => from <= date && date <= to)?.origin;

interface VintageLine {
  readonly date: string;
  readonly val: JsonText;
  /** Unix seconds; undefined where nobody states it. */
  readonly knownAt: number | undefined;
  readonly origin: string | undefined;
  readonly isFirst: boolean;
}

const COLUMNS = ['date', 'val', 'known_at', 'origin', 'is_first_release'] as const;

/** The rows of the answer as a line for each vintage; JSON and NDJSON keep a row for each period. */
export function listVintages(app: App, asked: AskedAnswer): Listing {
  const { listing } = asked;
  const lines = vintagesOf(app, asked).map(({ date, val, knownAt, origin, isFirst }) =>
    objectText([
      ['date', toJsonText(date)],
      ['val', val],
      ['known_at', toJsonText(knownAt === undefined ? null : isoSeconds(knownAt))],
      ['origin', toJsonText(origin ?? null)],
      ['is_first_release', toJsonText(isFirst)],
    ]),
  );
  return { ...listing, columns: COLUMNS, always: [], spare: ['is_first_release'], lines };
}

/** Periods down and vintages across: each cell is the value that was in force since the release of its column. */
export function triangle(app: App, asked: AskedAnswer): Listing {
  const { listing, reply } = asked;
  const lines = vintagesOf(app, asked);
  const moments = [...new Set(lines.flatMap(({ knownAt }) => knownAt ?? []))].sort((a, b) => a - b);
  const days = moments.map((moment) => isoSeconds(moment).slice(0, 10));
  const names = moments.map((moment, i) =>
    days.indexOf(days[i] ?? '') === days.lastIndexOf(days[i] ?? '') ? (days[i] ?? '') : isoSeconds(moment),
  );
  const periods = [...Map.groupBy(lines, ({ date }) => date)];
  const rows = periods.map(([date, known]) => {
    const cells = moments.map((moment, i): [string, JsonText] => {
      const inForce = known.findLast(({ knownAt }) => knownAt !== undefined && knownAt <= moment);
      return [names[i] ?? '', inForce?.val ?? asJsonText('null')];
    });
    // The newest value has no column where nobody states since when it is known.
    const undated = known.find(({ knownAt }) => knownAt === undefined);
    const newest: readonly [string, JsonText][] = undated ? [['undated', undated.val]] : [];
    const first = known.find(({ isFirst }) => isFirst)?.val ?? asJsonText('null');
    return objectText([['date', toJsonText(date)], ['first_print', first], ...cells, ...newest]);
  });
  const columns = [
    'date',
    'first_print',
    ...names,
    ...(lines.some(({ knownAt }) => knownAt === undefined) ? ['undated'] : []),
  ];
  const filled = names.filter((name) => rows.some((row) => parseObject(row)[name] !== null));
  const { unit } = parseObject(reply.body);
  const [mark] = memberTexts(reply.body, [MARK_MEMBER]);
  const head = { vintages: toJsonText(names), ...(mark !== undefined && { [MARK_MEMBER]: mark }) };
  return {
    columns,
    rows,
    spare: names.slice(0, -1),
    ...(listing.facts && { facts: listing.facts }),
    ...(listing.view && {
      view: { title: listing.view.title, ...(listing.view.lasting && { lasting: listing.view.lasting }) },
    }),
    chart: {
      at: 'date',
      panels: [{ values: filled.slice(-MAX_DRAWN), alike: columns, ...(typeof unit === 'string' && { unit }) }],
      ...(filled.length > MAX_DRAWN && {
        notDrawn: [`The newest ${MAX_DRAWN} of ${filled.length} vintages are drawn; --fields names others.`],
      }),
    },
    body: (chosen = rows) => patchRow(objectText(Object.entries(head)), { data: asJsonText(`[${chosen.join(',')}]`) }),
  };
}

/** Every vintage of every row, newest period first, each period's oldest first. */
function vintagesOf(app: App, { reply, listing }: AskedAnswer): readonly VintageLine[] {
  const { sources = [] } = reply;
  const service = reply.from === 'live' ? app.settings.baseUrl.value : undefined;
  return Array.from(listing.rows).flatMap((text): readonly VintageLine[] => {
    const { date: day } = parseObject(text);
    const date = String(day);
    const [val = asJsonText('null'), list, release] = memberTexts(text, ['val', 'revisions', 'announcement_datetime']);
    const own = service ?? originOn(sources, date);
    const entries = list?.startsWith('[') ? memberSpans(list).map(({ start, end }) => list.slice(start, end)) : [];
    const lines = entries.map((entry) => lineOf(asJsonText(entry), date, own));
    // A value that no list has came after all that are listed; of a row without a list it is the only one.
    if (lines.some((line) => Number(line.val) === Number(val))) return lines;
    const released = release === undefined ? undefined : instantOf(readJson(release));
    const knownAt = lines.length === 0 ? released : undefined;
    return [...lines, { date, val, knownAt, origin: own, isFirst: false }];
  });
}

function lineOf(entry: JsonText, date: string, own: string | undefined): VintageLine {
  const { epoch, observed_at_ns_string: captured, origin, is_first_release: isFirst } = parseObject(entry);
  const [val = asJsonText('null')] = memberTexts(entry, ['val']);
  const seen = typeof captured === 'string' ? Math.floor(Number(captured) / 1e9) : undefined;
  return {
    date,
    val,
    knownAt: instantOf(epoch) ?? seen,
    origin: typeof origin === 'string' ? origin : own,
    isFirst: isFirst === true,
  };
}
