// The moment that the answer is of: a slider of days, and a field for an exact time.

const DAY = 86_400_000;
/** Days that the slider reaches back at least. */
const MIN_REACH = 730;

interface MomentProps {
  /** ISO; empty for now. */
  readonly asOf: string;
  readonly by: string;
  /** Milliseconds of the server's clock. */
  readonly now: number;
  /** Date before which nothing was known, where there is one. */
  readonly since: string | undefined;
  readonly onChange: (asOf: string, by: string) => void;
}

export function Moment({ asOf, by, now, since, onChange }: MomentProps) {
  const today = Math.floor(now / DAY);
  const first = Math.min(today - MIN_REACH, Math.floor(Date.parse(since ?? '') / DAY) || today);
  const day = asOf === '' ? today : Math.min(today, Math.floor(Date.parse(asOf) / DAY));
  const take = (text: string) => {
    const chosen = Number(text);
    onChange(chosen >= today ? '' : new Date((chosen + 1) * DAY - 1000).toISOString().replace('.000Z', 'Z'), by);
  };
  return (
    <fieldset>
      <legend>What was known at a moment</legend>
      <label class="wide">
        {asOf === '' ? 'Now' : `At ${asOf}`}
        <input
          id="as-of"
          type="range"
          min={first}
          max={today}
          value={day}
          aria-valuetext={asOf === '' ? 'now' : asOf}
          onInput={(event) => take(event.currentTarget.value)}
        />
      </label>
      <div class="row">
        <label>
          Exact time, UTC
          <input
            type="text"
            placeholder="2026-11-01T13:30:00Z"
            value={asOf}
            onChange={(event) => onChange(event.currentTarget.value.trim(), by)}
          />
        </label>
        <label>
          Known to
          <select value={by} onChange={(event) => onChange(asOf, event.currentTarget.value)}>
            <option value="public">the public</option>
            <option value="captured">the service</option>
            <option value="mirrored">this mirror</option>
          </select>
        </label>
      </div>
    </fieldset>
  );
}
