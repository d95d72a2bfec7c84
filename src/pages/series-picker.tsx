// Where a reader chooses a series: any that the mirror holds, found by its words.
import type { ListedSeries } from '../serve/pages/page-data.ts';

interface SeriesPickerProps {
  readonly all: readonly ListedSeries[];
  readonly typed: string;
  readonly onType: (text: string) => void;
}

export function SeriesPicker({ all, typed, onType }: SeriesPickerProps) {
  return (
    <label class="wide">
      Series: type words of its name ({all.length} are held)
      <input
        id="series"
        list="all-series"
        value={typed}
        autocomplete="off"
        placeholder="fx eur usd"
        onInput={(event) => onType(event.currentTarget.value)}
      />
      <datalist id="all-series">
        {all.map(({ name, group }) => (
          <option key={name} value={name}>
            {group}
          </option>
        ))}
      </datalist>
    </label>
  );
}
