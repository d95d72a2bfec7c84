// Where a reader enters a key for this tab.
import { useState } from 'preact/hooks';
import { isTrustedReader, readTabKey, rememberTabKey } from './key.ts';

export function KeyForm({ onChange }: { readonly onChange: () => void }) {
  const [typed, setTyped] = useState(readTabKey() ?? '');
  if (isTrustedReader()) return null;
  const submit = (event: Event) => {
    event.preventDefault();
    rememberTabKey(typed.trim());
    onChange();
  };
  return (
    <form onSubmit={submit}>
      <label>
        Key, kept in this tab only
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
