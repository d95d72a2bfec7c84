// The list of release events as they come.
import { useEffect, useState } from 'preact/hooks';
import { type EventFrame, readEventFrames } from './event-frames.ts';
import { describeRefusal, fetchWithKey } from './key.ts';

const MAX_SHOWN = 20;
const RECONNECT_MS = 3_000;

export function EventList() {
  const [state, setState] = useState('connecting');
  const [frames, setFrames] = useState<readonly EventFrame[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    void follow(stop.signal, setState, (frame) => setFrames((all) => [frame, ...all].slice(0, MAX_SHOWN)));
    return () => stop.abort();
  }, []);
  return (
    <>
      <p class="quiet" role="status">
        {state}
      </p>
      <ul class="events">
        {frames.map((frame) => (
          <li key={frame.data}>
            {frame.event === 'announcement' ? sentenceOf(frame.data) : `${frame.event}: ${frame.data}`}
          </li>
        ))}
      </ul>
    </>
  );
}

async function follow(signal: AbortSignal, say: (state: string) => void, take: (frame: EventFrame) => void) {
  while (!signal.aborted) {
    try {
      const response = await fetchWithKey('/pages/events', signal);
      if (!response.ok || !response.body) {
        say(await describeRefusal(response));
        if (response.status < 500) return;
      } else {
        say('connected: events appear here as they come');
        for await (const frame of readEventFrames(response.body)) take(frame);
      }
    } catch {
      if (signal.aborted) return;
    }
    say('the connection ended; trying again');
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
  }
}

/** `usd inflation 3.4 of 2026-10-31, released 2026-11-23T09:49:45Z`. The value keeps its spelling. */
function sentenceOf(data: string): string {
  const { currency, indicator, latest_announcement: latest } = JSON.parse(data) as ReleaseEvent;
  const value = /"val"\s*:\s*([^,}\s]+)/.exec(data)?.[1];
  const known = latest ? ` ${value} of ${latest.date}, released ${latest.announcement_datetime}` : ' released';
  return `${currency} ${indicator}${known}`;
}

/** What the sentence needs of docs/interface.md#release-events. */
interface ReleaseEvent {
  readonly currency: string;
  readonly indicator: string;
  readonly latest_announcement?: { readonly date: string; readonly announcement_datetime: string };
}
