// Where a reader enters a key for this tab.
import { useState } from 'preact/hooks';
import { isTrustedReader, readTabKey, rememberTabKey } from './key.ts';

interface KeyFormProps {
  /** What is shown needs a key even of whoever sits at this machine. */
  readonly isForRoutes?: boolean;
  readonly onChange: () => void;
}

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
        Key, kept in this tab only{isTrustedReader() ? '; this server takes any' : ''}
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
