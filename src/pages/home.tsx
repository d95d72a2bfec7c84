// The page at `/`: facts are there already; this adds what a key shows, and live events.
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { EventList } from './event-list.tsx';
import { describeRefusal, fetchWithKey, readTabKey } from './key.ts';
import { KeyForm } from './key-form.tsx';

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
      {problem === '' ? null : (
        <p class="banner error" role="alert">
          {problem}
        </p>
      )}
      <EventList key={round} />
    </>
  );
}

const place = document.getElementById('event-list');
if (place) render(<Home />, place);
if (readTabKey() !== undefined) void showPrivate();
