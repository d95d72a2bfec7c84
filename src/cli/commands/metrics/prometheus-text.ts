// The text format of Prometheus, version 0.0.4: families with their help, type and samples.

/** One measured thing under all its labels. Every number that cannot be known is left out. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  readonly samples: readonly MetricSample[];
}

export interface MetricSample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number | undefined;
}

/** The families as text. One without a known sample is left out. */
export function prometheusText(families: readonly MetricFamily[]): string {
  return families.flatMap(familyLines).join('');
}

function familyLines({ name, help, type, samples }: MetricFamily): readonly string[] {
  const lines = samples.flatMap(({ labels, value }) =>
    value === undefined ? [] : [`${name}${labelText(labels)} ${value}\n`],
  );
  if (lines.length === 0) return [];
  return [`# HELP ${name} ${escapeHelp(help)}\n`, `# TYPE ${name} ${type}\n`, ...lines];
}

function labelText(labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escapeHelp = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const escapeLabel = (text: string) => escapeHelp(text).replaceAll('"', '\\"');
