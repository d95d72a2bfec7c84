// One bar for all long work: share done, rows, requests, quota and time left. It never runs backwards.
import { waitText } from '../../client/text.ts';
import type { Clock } from '../../platform/platform.ts';
import type { App } from '../app/app.ts';
import type { Messages } from './messages.ts';
import { grouped } from './text.ts';

/** How far work has come. Unknown facts are left out. */
export interface ProgressState {
  /** From 0 to 1. */
  readonly share?: number | undefined;
  readonly rows?: number;
  readonly requests?: number;
  /** The rest of the quota, as people say it: `280 left this minute`. */
  readonly quota?: string | undefined;
  readonly what?: string;
}

export type ProgressBar = ReturnType<typeof openProgressBar>;

const CELLS = 20;

/** Before this share of the work, and this time, a guess at the rest is worth nothing. */
const MIN_SHARE = 0.02;
const MIN_ELAPSED_MS = 2000;

/** Milliseconds between two checks of the ledger. */
const CHECK_INTERVAL_MS = 1000;

/** Begins a bar. Whatever is said next clears it, and so does the end of the program's output. */
export function openProgressBar(messages: Pick<Messages, 'progress'>, clock: Pick<Clock, 'now'>) {
  const begun = clock.now();
  let best: { share: number | undefined; rows: number; requests: number } = { share: undefined, rows: 0, requests: 0 };
  let last = '';
  return {
    /** Shows how far the work has come. Numbers that went down are shown as they were. */
    show(state: ProgressState): void {
      best = {
        share: state.share === undefined ? best.share : Math.max(best.share ?? 0, Math.min(1, state.share)),
        rows: Math.max(best.rows, state.rows ?? 0),
        requests: Math.max(best.requests, state.requests ?? 0),
      };
      const line = progressLine({ ...state, ...best }, clock.now() - begun);
      if (line === last) return;
      last = line;
      void messages.progress(line);
    },
  };
}

function progressLine({ share, rows = 0, requests = 0, quota, what }: ProgressState, elapsed: number): string {
  const parts = [
    ...(share === undefined ? [] : [`${barText(share)} ${Math.floor(share * 100)} %`]),
    ...(rows > 0 ? [`${grouped(rows)} rows`] : []),
    ...(requests > 0 ? [`${grouped(requests)} ${requests === 1 ? 'request' : 'requests'}`] : []),
    ...(quota === undefined ? [] : [quota]),
    ...(share === undefined ? [] : timeLeft(share, elapsed)),
    ...(what === undefined ? [] : [what]),
  ];
  return parts.join(', ');
}

function barText(share: number): string {
  const done = Math.floor(share * CELLS);
  return `[${'#'.repeat(done)}${'-'.repeat(CELLS - done)}]`;
}

function timeLeft(share: number, elapsed: number): readonly string[] {
  if (share < MIN_SHARE || share >= 1 || elapsed < MIN_ELAPSED_MS) return [];
  return [`${waitText((elapsed * (1 - share)) / share / 1000)} left`];
}

/** The rest of the quota, at most a second old: a bar is drawn many times a second. */
export function quotaLeft(app: App): () => string | undefined {
  const { value: baseUrl } = app.settings.baseUrl;
  let checked = Number.NEGATIVE_INFINITY;
  let text: string | undefined;
  const check = async (url: string) => {
    const { quotaText } = await import('../app/service.ts');
    text = await quotaText(app, url);
  };
  return () => {
    const now = app.platform.clock.now();
    if (baseUrl === undefined || now - checked < CHECK_INTERVAL_MS) return text;
    checked = now;
    // An unreadable ledger is reported by the code that spends from it.
    check(baseUrl).catch(() => undefined);
    return text;
  };
}
