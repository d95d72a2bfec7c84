// Forms of the reference that try a route. A try is a request like any other, so it counts against the quota of its key.

import { render } from 'preact';
import { useState } from 'preact/hooks';
import { fetchWithKey, KeyForm, Problem } from './key-form.tsx';

const MAX_SHOWN = 20_000;

interface Tried {
  readonly status: string;
  readonly headers: string;
  readonly body: string;
}

function TryRoute({ example }: { readonly example: string }) {
  const [address, setAddress] = useState(example);
  const [tried, setTried] = useState<Tried>();
  const [problem, setProblem] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    setProblem('');
    tryRoute(address).then(setTried, (error) => setProblem(String(error)));
  };
  return (
    <>
      <form onSubmit={submit}>
        <label class="wide">
          Path and query to try; it counts against the quota of the key
          <input value={address} onInput={(event) => setAddress(event.currentTarget.value)} spellcheck={false} />
        </label>
        <button type="submit">Send GET</button>
      </form>
      <Problem text={problem} />
      {tried && (
        <div role="status">
          <p>
            <strong>{tried.status}</strong>
          </p>
          <pre tabIndex={0}>{tried.headers}</pre>
          <pre tabIndex={0} class="body">
            {tried.body}
          </pre>
        </div>
      )}
    </>
  );
}

/** Only this server is asked, whatever stands in the field. */
async function tryRoute(address: string): Promise<Tried> {
  const url = new URL(address, location.origin);
  if (url.origin !== location.origin) throw new Error('Give a path of this server, such as /v1/ping.');
  const response = await fetchWithKey(`${url.pathname}${url.search}`);
  const text = await response.text();
  const body =
    text.length > MAX_SHOWN
      ? `${text.slice(0, MAX_SHOWN)}\n… the first ${MAX_SHOWN} of ${text.length} characters`
      : text;
  const isPartial = [...response.headers].some(([name, value]) => name.endsWith('-mirror') && value === 'partial');
  return {
    status: `${response.status} ${response.statusText}${isPartial ? ' PARTIAL: the mirror has only part of this' : ''}`,
    headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    body,
  };
}

/** A field that filters the routes by the typed words. */
function Search() {
  const [shown, setShown] = useState('');
  const filter = (typed: string) => {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (one: Element) => words.every((word) => one.textContent?.toLowerCase().includes(word));
    let count = 0;
    for (const route of document.querySelectorAll<HTMLElement>('details.route')) {
      const head = route.querySelector('summary');
      route.hidden = !head || !matches(head);
      if (!route.hidden) count += 1;
      const link = document.querySelector(`.side a[href="#${route.id}"]`)?.closest('li');
      if (link) link.hidden = route.hidden;
    }
    for (const group of document.querySelectorAll<HTMLElement>('section.group, .side > details'))
      group.hidden = !group.querySelector('details.route:not([hidden]), li:not([hidden])');
    setShown(words.length === 0 ? '' : count === 1 ? '1 route' : `${count} routes`);
  };
  return (
    <>
      <label>
        Search routes
        <input type="search" autocomplete="off" onInput={(event) => filter(event.currentTarget.value)} />
      </label>
      <p class="quiet" role="status">
        {shown}
      </p>
    </>
  );
}

/** Opens the route that the address names. */
function openNamed(): void {
  const route = document.getElementById(location.hash.slice(1));
  if (!(route instanceof HTMLDetailsElement)) return;
  route.open = true;
  route.scrollIntoView();
}

const search = document.getElementById('search');
if (search) render(<Search />, search);
addEventListener('hashchange', openNamed);
const key = document.getElementById('key');
if (key) render(<KeyForm isForRoutes onChange={() => undefined} />, key);
for (const place of document.querySelectorAll<HTMLElement>('.try')) {
  // A form is made when its route is opened: there are dozens of them.
  const details = place.closest('details');
  details?.addEventListener('toggle', () => render(<TryRoute example={place.dataset.example ?? ''} />, place), {
    once: true,
  });
}
openNamed();
