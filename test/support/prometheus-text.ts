// A strict reader of the text format of Prometheus, written from its description and not from our writer:
// https://prometheus.io/docs/instrumenting/exposition_formats/

export interface ReadFamily {
  readonly type: string;
  readonly help: string;
  /** Value by labels, each as `name=value`, joined by commas in their order. */
  readonly samples: Readonly<Record<string, number>>;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"(,|$)/;

/** Reads a whole text. @throws Error that names the line which breaks a rule */
export function readPrometheusText(text: string): Readonly<Record<string, ReadFamily>> {
  if (!text.endsWith('\n')) throw new Error('The last line must end with a line feed');
  const families: Record<string, { type: string; help: string; samples: Record<string, number> }> = {};
  let current = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const head = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`).exec(line);
    if (head) {
      const [, kind, name = '', rest = ''] = head;
      if (kind === 'HELP' && families[name]) throw new Error(`Second HELP of ${name}`);
      families[name] ??= { type: 'untyped', help: '', samples: {} };
      const family = families[name];
      if (kind === 'HELP') family.help = rest;
      else if (Object.keys(family.samples).length > 0) throw new Error(`TYPE of ${name} after its samples`);
      else if (!/^(counter|gauge|histogram|summary|untyped)$/.test(rest)) throw new Error(`Type ${rest}`);
      else family.type = rest;
      current = name;
      continue;
    }
    const sample = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (-?[0-9.]+(?:e[+-]?[0-9]+)?|[+-]Inf|NaN)$`).exec(line);
    if (!sample) throw new Error(`No sample: ${line}`);
    const [, name = '', labels = '', value = ''] = sample;
    const family = families[name];
    if (!family || name !== current) throw new Error(`Sample of ${name} outside of its family`);
    const key = labelsOf(labels).join(',');
    if (key in family.samples) throw new Error(`Twice: ${line}`);
    family.samples[key] = Number(value);
  }
  return families;
}

function labelsOf(text: string): readonly string[] {
  const found: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const label = LABEL.exec(rest);
    if (!label) throw new Error(`No label: ${rest}`);
    const value = (label[2] ?? '').replace(/\\([\\n"])/g, (_, sign) => (sign === 'n' ? '\n' : sign));
    found.push(`${label[1]}=${value}`);
    rest = rest.slice(label[0].length);
  }
  return found;
}
