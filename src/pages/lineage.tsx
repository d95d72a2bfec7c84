// Where a value came from: each value that the row had, since when it was known, and what brought it.

const COLUMNS = ['val', 'public', 'captured', 'mirrored', 'until', 'source', 'request', 'how'] as const;

interface LineageProps {
  readonly row: string;
  readonly lines: readonly Record<string, unknown>[];
}

export function Lineage({ row, lines }: LineageProps) {
  if (lines.length === 0)
    return <p>The mirror holds no row of {row} in the series that this answer is made of: it is computed of others.</p>;
  return (
    <section class="scroll" tabIndex={0} aria-label={`Origin of ${row}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">series</th>
            {COLUMNS.map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={JSON.stringify(line)}>
              <td>{textOf(line.series)}</td>
              {COLUMNS.map((name) => (
                <td key={name} class={textOf(line[name]).length > 60 ? 'long' : undefined}>
                  {textOf(line[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
