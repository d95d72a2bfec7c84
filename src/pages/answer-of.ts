// What the explorer asks, and how it asks it.
import type { ListedSeries, PresentedAnswer } from '../serve/pages/page-data.ts';
import { describeRefusal, fetchWithKey } from './key.ts';

export interface ExplorerQuestion {
  readonly series: ListedSeries;
  /** Dates; empty for the default of the service. */
  readonly start: string;
  readonly end: string;
  /** ISO; empty for now. */
  readonly asOf: string;
  readonly by: string;
}

/** Path and query of the question at `/v1`. */
function addressOf({ series, start, end }: ExplorerQuestion): string {
  const url = new URL(series.path, location.origin);
  if (series.hasWindow && start !== '') url.searchParams.set('start_date', start);
  if (series.hasWindow && end !== '') url.searchParams.set('end_date', end);
  return `${url.pathname}${url.search}`;
}

/** The same as a page asks it. `words`: what it adds. */
function pageAddressOf(question: ExplorerQuestion, words: Readonly<Record<string, string>> = {}): string {
  const url = new URL(`/pages/answer${addressOf(question)}`, location.origin);
  if (question.asOf !== '') {
    url.searchParams.set('page_as_of', question.asOf);
    url.searchParams.set('page_by', question.by);
  }
  for (const [name, value] of Object.entries(words)) url.searchParams.set(name, value);
  return `${url.pathname}${url.search}`;
}

/** Throws an error whose message is for the reader. */
export async function askAnswer(question: ExplorerQuestion, signal: AbortSignal): Promise<PresentedAnswer> {
  return (await okOf(pageAddressOf(question), signal)).json() as Promise<PresentedAnswer>;
}

export async function askSeries(signal: AbortSignal): Promise<readonly ListedSeries[]> {
  return (await okOf('/pages/series', signal)).json() as Promise<readonly ListedSeries[]>;
}

export async function askLineage(question: ExplorerQuestion, row: string): Promise<readonly Record<string, unknown>[]> {
  const words = { page_view: 'why', page_row: row };
  return (await okOf(pageAddressOf({ ...question, asOf: '' }, words))).json() as Promise<
    readonly Record<string, unknown>[]
  >;
}

/** Fetches a file with the key, which a link could not carry, and hands it to the browser. */
export async function downloadFile(question: ExplorerQuestion, format: string): Promise<void> {
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
