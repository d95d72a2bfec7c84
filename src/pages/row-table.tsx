// The rows of an answer; each can tell where it came from.
import { useState } from 'preact/hooks';
import type { PresentedAnswer } from '../serve/pages/page-data.ts';

const SHOWN_AT_FIRST = 100;

interface RowTableProps {
  readonly answer: PresentedAnswer;
  readonly onPick: (row: readonly string[]) => void;
}

export function RowTable({ answer: { columns, rows }, onPick }: RowTableProps) {
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  // Nested members tell where a row comes from, which its button tells better.
  const isShown = (i: number) => rows.some((row) => row[i] !== '') && !rows.some((row) => /^[{[]/.test(row[i] ?? ''));
  const filled = columns.map((_, i) => i).filter(isShown);
  return (
    <>
      <section class="scroll" tabIndex={0} aria-label="Rows">
        <table>
          <thead>
            <tr>
              <th scope="col">origin</th>
              {filled.map((i) => (
                <th scope="col" key={i}>
                  {columns[i]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row) => (
              <tr key={row.join('\n')}>
                <td>
                  <button type="button" onClick={() => onPick(row)} aria-label={`why ${row[0]}`}>
                    why
                  </button>
                </td>
                {filled.map((i) => (
                  <td key={i} class={(row[i] ?? '').length > 60 ? 'long' : undefined}>
                    {row[i]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="quiet">
        {rows.length <= shown
          ? `All ${rows.length} rows of this answer.`
          : `The first ${shown} of ${rows.length} rows of this answer.`}{' '}
        {rows.length > shown && (
          <button type="button" onClick={() => setShown(rows.length)}>
            Show all
          </button>
        )}
      </p>
    </>
  );
}
