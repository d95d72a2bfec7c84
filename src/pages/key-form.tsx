// The key of the reader. It lives in this tab and travels in a header, never in an address.
import { useState } from 'preact/hooks';

interface KeyFormProps {
  /** This page needs a key even of whoever sits at this machine. */
  readonly isForRoutes?: boolean;
  readonly onChange: () => void;
}

/** Where a reader enters a key for this tab. */
export function KeyForm({ isForRoutes = false, onChange }: KeyFormProps) {
  const [typed, setTyped] = useState(readTabKey() ?? '');
  if (isTrustedReader() && !isForRoutes) return null;
  const submit = (event: Event) => {
    event.preventDefault();
    rememberTabKey(typed.trim());
    onChange();
  };
  return (
    <form onSubmit={submit}>
      <label>
        Key, stored in this tab only{isTrustedReader() ? '; this server takes any' : ''}
        <input
          type="password"
          autocomplete="off"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Use key</button>
    </form>
  );
}

/** The message of a failure; nothing without one. */
export function Problem({ text }: { readonly text: string }) {
  if (text === '') return null;
  return (
    <p class="banner error" role="alert">
      {text}
    </p>
  );
}

const PLACE = 'macro-key';

export function readTabKey(): string | undefined {
  return sessionStorage.getItem(PLACE) ?? undefined;
}

function rememberTabKey(key: string): void {
  if (key === '') sessionStorage.removeItem(PLACE);
  else sessionStorage.setItem(PLACE, key);
}

/** Asks this server with the key, where there is one. */
export function fetchWithKey(path: string, signal?: AbortSignal): Promise<Response> {
  const key = readTabKey();
  return fetch(path, { headers: key === undefined ? {} : { 'X-API-Key': key }, ...(signal && { signal }) });
}

/** The text of a refusal, in one sentence. */
export async function describeRefusal(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : undefined;
  if (typeof detail === 'string') return detail;
  if (Array.isArray(detail)) return detail.map(({ msg }) => String(msg)).join(' ');
  return `The server answered ${response.status}.`;
}

/** True where the server trusts whoever sits at this machine. */
export const isTrustedReader = (): boolean => document.body.dataset.trusted === 'yes';
