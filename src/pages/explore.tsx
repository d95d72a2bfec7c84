// The explorer: any series, its chart, its rows, its past, and where each value came from.

import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ListedSeries, PresentedAnswer } from '../serve/pages/page-data.ts';
import { AnswerMarks, Lineage, type LineageProps, RowTable, SeriesChart, timeText } from './answer.tsx';
import { describeRefusal, fetchWithKey, isTrustedReader, KeyForm, Problem, readTabKey } from './key-form.tsx';

/** A slider moves faster than answers come. */
const SETTLE_MS = 200;

interface ExplorerQuestion {
  readonly series: ListedSeries;
  /** Dates; empty for the default of the service. */
  readonly start: string;
  readonly end: string;
  /** ISO; empty for now. */
  readonly asOf: string;
  readonly by: string;
  readonly indicators: readonly string[];
}

function Explorer({ now }: { readonly now: number }) {
  const [listed, setAll] = useState<readonly ListedSeries[]>();
  const [input, setTyped] = useState(new URLSearchParams(location.hash.slice(1)).get('series'));
  const [start, setStart] = useState('');
  const [end, setEnd] = useState('');
  const [moment, setMoment] = useState({ asOf: '', by: 'public' });
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<PresentedAnswer>();
  const [problem, setProblem] = useState('');
  const [lineage, setLineage] = useState<LineageProps>();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const all = listed ?? [];
  const typed = input ?? (all.find(({ name }) => name === 'fx eur usd') ?? all[0])?.name ?? '';
  const series = all.find(({ name }) => name === typed.trim().toLowerCase());
  const past = series?.hasPast ? moment : { asOf: '', by: 'public' };
  const indicators = series?.indicators ? chosen : [];
  const question: ExplorerQuestion | undefined = series && { series, start, end, indicators, ...past };

  const complain = (error: unknown) => setProblem(error instanceof Error ? error.message : String(error));
  useEffect(() => {
    const stop = new AbortController();
    askJson<readonly ListedSeries[]>('/pages/series', stop.signal).then(setAll, complain);
    return () => stop.abort();
  }, [round]);
  useEffect(() => {
    // An answer on the page always belongs to the question above it.
    setAnswer(undefined);
    setLineage(undefined);
    setProblem('');
    if (!question) return;
    history.replaceState(null, '', `#${new URLSearchParams({ series: question.series.name })}`);
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const asked = askJson<PresentedAnswer>(pageAddressOf(question), stop.signal);
      asked.then(setAnswer, (error) => stop.signal.aborted || complain(error));
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [series, start, end, indicators.join(), past.asOf, past.by, round]);

  const pick = (row: readonly string[]) => {
    const name = row[Math.max(0, answer?.columns.indexOf('date') ?? 0)];
    if (!question || name === undefined) return;
    const words = { page_view: 'why', page_row: name };
    const asked = askJson<LineageProps['lines']>(pageAddressOf({ ...question, asOf: '', indicators: [] }, words));
    asked.then((lines) => setLineage({ row: name, lines }), complain);
  };
  return (
    <>
      <KeyForm onChange={() => setRound(round + 1)} />
      <div class="row">
        <SeriesPicker all={listed} typed={typed} onType={setTyped} />
        {series?.hasWindow && (
          <>
            <label>
              From
              <input type="date" value={start} onChange={(event) => setStart(event.currentTarget.value)} />
            </label>
            <label>
              To
              <input type="date" value={end} onChange={(event) => setEnd(event.currentTarget.value)} />
            </label>
          </>
        )}
      </div>
      {series?.indicators && <Indicators all={series.indicators} {...{ chosen, setChosen }} />}
      {series?.hasPast && (isTrustedReader() || readTabKey() !== undefined) && (
        <Moment {...moment} now={now} since={series.since} onChange={(asOf, by) => setMoment({ asOf, by })} />
      )}
      <p role="status" class="quiet">
        {question && !answer && problem === ''
          ? 'asking the mirror'
          : series || listed === undefined
            ? ''
            : all.length === 0
              ? 'The mirror is empty: macro import ecb fills it with euro rates.'
              : 'No series has this name: choose one of the list.'}
      </p>
      <Problem text={problem} />
      {answer && question && (
        <section aria-label="Answer">
          <h2>{timeText(answer.title) || question.series.name}</h2>
          <AnswerMarks answer={answer} />
          <SeriesChart answer={answer} onPick={pick} />
          {lineage && <Lineage {...lineage} />}
          {answer.rows.length === 0 ? (
            <p>There are no rows.</p>
          ) : (
            <>
              <RowTable answer={answer} onPick={pick} />
              <div class="row">
                {['csv', 'parquet'].map((format) => (
                  <button key={format} type="button" onClick={() => downloadFile(question, format).catch(complain)}>
                    Download {format === 'csv' ? 'CSV' : 'Parquet'}
                    {answer.isPartial ? ' (partial)' : ''}
                  </button>
                ))}
              </div>
            </>
          )}
          <h3>The same elsewhere</h3>
          <pre tabIndex={0}>{answer.command}</pre>
          {answer.address === undefined ? (
            <p class="quiet">The route of this series knows no past, so there is no address for this moment.</p>
          ) : (
            <pre tabIndex={0}>{`curl -H "X-API-Key: $KEY" '${location.origin}${answer.address}'`}</pre>
          )}
          {answer.pages > 1 && <p class="quiet">The address gives the first of {answer.pages} pages.</p>}
        </section>
      )}
    </>
  );
}

/** Path and query of the question as a page asks it. `words`: what the page adds. */
function pageAddressOf(question: ExplorerQuestion, words: Readonly<Record<string, string>> = {}): string {
  const { series, start, end, indicators, asOf, by } = question;
  const url = new URL(`/pages/answer${series.path}`, location.origin);
  const dates = series.hasWindow ? { start_date: start, end_date: end } : {};
  const past = asOf === '' ? {} : { page_as_of: asOf, page_by: by };
  for (const [name, value] of Object.entries({ ...dates, indicators: indicators.join(','), ...past, ...words }))
    if (value !== '') url.searchParams.set(name, value);
  return `${url.pathname}${url.search}`;
}

/** Throws an error whose message is for the reader. */
async function askJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await okOf(path, signal)).json() as Promise<T>;
}

/** Fetches a file with the key, which a link could not carry, and hands it to the browser. */
async function downloadFile(question: ExplorerQuestion, format: string): Promise<void> {
  const response = await okOf(pageAddressOf(question, { page_view: format }));
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = name ?? `rows.${format}`;
  link.click();
  URL.revokeObjectURL(address);
}

async function okOf(path: string, signal?: AbortSignal): Promise<Response> {
  const response = await fetchWithKey(path, signal);
  if (!response.ok) throw new Error(await describeRefusal(response));
  return response;
}

interface SeriesPickerProps {
  /** Undefined while they load. */
  readonly all: readonly ListedSeries[] | undefined;
  readonly typed: string;
  readonly onType: (text: string) => void;
}

/** Where a reader chooses a series: any that the mirror holds, found by its words. */
function SeriesPicker({ all, typed, onType }: SeriesPickerProps) {
  return (
    <label class="wide">
      Series: type words of its name ({all ? `${all.length.toLocaleString('en-US')} are stored` : 'loading'})
      <input
        id="series"
        list="all-series"
        value={typed}
        autocomplete="off"
        placeholder="fx eur usd"
        onInput={(event) => onType(event.currentTarget.value)}
      />
      <datalist id="all-series">
        {all?.map(({ name, group }) => (
          <option key={name} value={name}>
            {group}
          </option>
        ))}
      </datalist>
    </label>
  );
}

interface IndicatorsProps {
  readonly all: readonly string[];
  readonly chosen: readonly string[];
  readonly setChosen: (change: (names: readonly string[]) => readonly string[]) => void;
}

/** Technical indicators that are drawn and listed beside the rates. */
function Indicators({ all, chosen, setChosen }: IndicatorsProps) {
  const toggle = (name: string) =>
    setChosen((names) => (names.includes(name) ? names.filter((one) => one !== name) : [...names, name]));
  return (
    <details class="indicators">
      <summary>Indicators{chosen.length > 0 && `: ${chosen.join(', ')}`}</summary>
      <div class="checks">
        {all.map((name) => (
          <label key={name}>
            <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
            {name}
          </label>
        ))}
      </div>
    </details>
  );
}

const DAY = 86_400_000;

/** Days that the slider reaches back at least. */
const MIN_REACH = 730;

interface MomentProps {
  /** ISO; empty for now. */
  readonly asOf: string;
  readonly by: string;
  /** Milliseconds of the server's clock. */
  readonly now: number;
  /** Date before which nothing was known, where there is one. */
  readonly since: string | undefined;
  readonly onChange: (asOf: string, by: string) => void;
}

/** The moment that the answer is of: a slider of days, and a field for an exact time. */
function Moment({ asOf, by, now, since, onChange }: MomentProps) {
  const today = Math.floor(now / DAY);
  const first = Math.min(today - MIN_REACH, Math.floor(Date.parse(since ?? '') / DAY) || today);
  const day = asOf === '' ? today : Math.min(today, Math.floor(Date.parse(asOf) / DAY));
  const take = (text: string) => {
    const chosen = Number(text);
    onChange(chosen >= today ? '' : new Date((chosen + 1) * DAY - 1000).toISOString().replace('.000Z', 'Z'), by);
  };
  return (
    <fieldset>
      <legend>As it was known at a moment</legend>
      <label class="wide">
        {asOf === '' ? 'Now' : `At ${timeText(asOf)}`}
        <input
          id="as-of"
          type="range"
          min={first}
          max={today}
          value={day}
          aria-valuetext={asOf === '' ? 'now' : timeText(asOf)}
          onInput={(event) => take(event.currentTarget.value)}
        />
      </label>
      <div class="row">
        <label>
          Exact time, UTC
          <input
            type="text"
            placeholder="2026-11-01T13:30:00Z"
            value={asOf}
            onChange={(event) => onChange(event.currentTarget.value.trim(), by)}
          />
        </label>
        <label>
          Known to
          <select value={by} onChange={(event) => onChange(asOf, event.currentTarget.value)}>
            <option value="public">the public</option>
            <option value="captured">the service</option>
            <option value="mirrored">this mirror</option>
          </select>
        </label>
      </div>
    </fieldset>
  );
}

const place = document.getElementById('explorer');

if (place) render(<Explorer now={Number(place.dataset.now)} />, place);
