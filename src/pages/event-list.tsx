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

function sentenceOf(data: string): string {
  const event = JSON.parse(data) as Record<string, unknown>;
  const row = (typeof event.data === 'object' && event.data !== null ? event.data : event) as Record<string, unknown>;
  const pick = (...names: readonly string[]) =>
    names.map((name) => row[name] ?? event[name]).find((found) => found != null);
  const named = [pick('currency'), pick('indicator')].filter(Boolean).join(' ');
  const value = pick('val', 'value');
  return `${named} ${value === undefined ? '' : String(value)} ${String(pick('date', 'announcement_datetime') ?? '')}`.trim();
}
