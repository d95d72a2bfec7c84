/** Options whose name is not that of their parameter. */
const SHORTER: Readonly<Record<string, string>> = { start_date: 'start', end_date: 'end', decision_times: 'at' };

/** The option that sets a query parameter: `--start`, `--official-only`. */
export function optionName(parameter: string): string {
  return SHORTER[parameter] ?? parameter.replaceAll('_', '-');
}
