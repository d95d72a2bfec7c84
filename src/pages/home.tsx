// The page at `/`: facts are there already; this adds what a key shows, and live events.

import type { EventSourceMessage } from 'eventsource-parser';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { describeRefusal, fetchWithKey, KeyForm, Problem, readTabKey } from './key-form.tsx';

/** Puts the part that needs a key in its place, as the server renders it. */
async function showPrivate(): Promise<string> {
  const response = await fetchWithKey('/');
  if (!response.ok) return describeRefusal(response);
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById('private');
  if (fresh) document.getElementById('private')?.replaceWith(fresh);
  return '';
}

function Home() {
  const [problem, setProblem] = useState('');
  const [round, setRound] = useState(0);
  const change = () => {
    void showPrivate().then(setProblem);
    setRound(round + 1);
  };
  return (
    <>
      <KeyForm onChange={change} />
      <Problem text={problem} />
      <EventList key={round} />
    </>
  );
}

const MAX_SHOWN = 20;

const RECONNECT_MS = 3_000;

/** The list of release events as they come. */
function EventList() {
  const [state, setState] = useState('connecting');
  const [frames, setFrames] = useState<readonly EventSourceMessage[]>([]);
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
            {frame.event === 'announcement' ? sentenceOf(frame.data) : `${frame.event ?? 'message'}: ${frame.data}`}
          </li>
        ))}
      </ul>
    </>
  );
}

/** `EventSource` sends no header, and a key never stands in an address. */
async function follow(signal: AbortSignal, say: (state: string) => void, take: (frame: EventSourceMessage) => void) {
  while (!signal.aborted) {
    try {
      const response = await fetchWithKey('/pages/events', signal);
      if (!response.ok || !response.body) {
        say(await describeRefusal(response));
        if (response.status < 500) return;
      } else {
        say('connected: events appear here as they come');
        const text = response.body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>);
        await text.pipeThrough(new EventSourceParserStream()).pipeTo(new WritableStream({ write: take }));
      }
    } catch {
      if (signal.aborted) return;
    }
    say('the connection ended; trying again');
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
  }
}

/** `usd inflation 3.4 of 2026-10-31, released 2026-11-23 09:49 UTC`. The value keeps its spelling. */
function sentenceOf(data: string): string {
  const { currency, indicator, latest_announcement: latest } = JSON.parse(data) as ReleaseEvent;
  const value = /"val"\s*:\s*([^,}\s]+)/.exec(data)?.[1];
  if (!latest) return `${currency} ${indicator} released`;
  const { date, announcement_datetime: at } = latest;
  return `${currency} ${indicator} ${value} of ${date}, released ${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

/** The members that the sentence needs of docs/interface-events.md#release-events. */
interface ReleaseEvent {
  readonly currency: string;
  readonly indicator: string;
  readonly latest_announcement?: { readonly date: string; readonly announcement_datetime: string };
}

const place = document.getElementById('event-list');

if (place) render(<Home />, place);

if (readTabKey() !== undefined) void showPrivate();
