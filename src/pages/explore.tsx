// The explorer: any series, its chart, its rows, its past, and where each value came from.
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ListedSeries, PresentedAnswer } from '../serve/pages/page-data.ts';
import { AnswerMarks } from './answer-marks.tsx';
import { askAnswer, askLineage, askSeries, downloadFile, type ExplorerQuestion } from './answer-of.ts';
import { SeriesChart } from './chart.tsx';
import { isTrustedReader, readTabKey } from './key.ts';
import { KeyForm } from './key-form.tsx';
import { Lineage } from './lineage.tsx';
import { Moment } from './moment.tsx';
import { RowTable } from './row-table.tsx';
import { SeriesPicker } from './series-picker.tsx';

/** A slider moves faster than answers come. */
const SETTLE_MS = 200;

function Explorer({ now }: { readonly now: number }) {
  const [all, setAll] = useState<readonly ListedSeries[]>([]);
  const [typed, setTyped] = useState(new URLSearchParams(location.hash.slice(1)).get('series') ?? 'fx eur usd');
  const [start, setStart] = useState('');
  const [end, setEnd] = useState('');
  const [moment, setMoment] = useState({ asOf: '', by: 'public' });
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<PresentedAnswer>();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [lineage, setLineage] = useState<{ row: string; lines: readonly Record<string, unknown>[] }>();
  const series = all.find(({ name }) => name === typed.trim().toLowerCase());
  const past = series?.hasPast ? moment : { asOf: '', by: 'public' };
  const question: ExplorerQuestion | undefined = series && { series, start, end, ...past };

  const complain = (error: unknown) => setProblem(error instanceof Error ? error.message : String(error));
  useEffect(() => {
    const stop = new AbortController();
    askSeries(stop.signal).then(setAll, complain);
    return () => stop.abort();
  }, [round]);
  useEffect(() => {
    // What is shown never belongs to another question than the one above it.
    setAnswer(undefined);
    setLineage(undefined);
    setProblem('');
    if (!question) return;
    history.replaceState(null, '', `#${new URLSearchParams({ series: question.series.name })}`);
    const stop = new AbortController();
    setBusy(true);
    const timer = setTimeout(() => {
      askAnswer(question, stop.signal)
        .then(setAnswer, (error) => stop.signal.aborted || complain(error))
        .finally(() => stop.signal.aborted || setBusy(false));
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [series, start, end, past.asOf, past.by, round]);

  const pick = (row: readonly string[]) => {
    const name = row[0];
    if (!question || name === undefined) return;
    askLineage(question, name).then((lines) => setLineage({ row: name, lines }), complain);
  };
  return (
    <>
      <KeyForm onChange={() => setRound(round + 1)} />
      <div class="row">
        <SeriesPicker all={all} typed={typed} onType={setTyped} />
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
      {series?.hasPast && (isTrustedReader() || readTabKey() !== undefined) && (
        <Moment {...moment} now={now} since={series.since} onChange={(asOf, by) => setMoment({ asOf, by })} />
      )}
      <p role="status" class="quiet">
        {isBusy
          ? 'asking the mirror'
          : series || all.length === 0
            ? ''
            : 'No series has this name: choose one of the list.'}
      </p>
      {problem !== '' && (
        <p class="banner error" role="alert">
          {problem}
        </p>
      )}
      {answer && question && (
        <section aria-label="Answer">
          <h2>{answer.title || question.series.name}</h2>
          <AnswerMarks answer={answer} />
          <SeriesChart answer={answer} onPick={pick} />
          {lineage && (
            <section id="lineage" aria-label="Origin">
              <h3>Where {lineage.row} came from</h3>
              <Lineage {...lineage} />
            </section>
          )}
          <h3>Rows</h3>
          <RowTable answer={answer} onPick={pick} />
          <div class="row">
            {['csv', 'parquet'].map((format) => (
              <button key={format} type="button" onClick={() => downloadFile(question, format).catch(complain)}>
                Download {format === 'csv' ? 'CSV' : 'Parquet'}
                {answer.isPartial ? ' (partial)' : ''}
              </button>
            ))}
          </div>
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

const place = document.getElementById('explorer');
if (place) render(<Explorer now={Number(place.dataset.now)} />, place);
