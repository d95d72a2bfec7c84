/** A value that was typed for an option: its text, `true` for a switch, all texts for one that may be repeated. */
export type OptionValue = string | true | readonly string[];

export type Options = Readonly<Record<string, OptionValue | undefined>>;

/** The text of an option that was given with a value. */
export function textOption(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** True when a switch was given. */
export function isOn(options: Options, name: string): boolean {
  return options[name] === true;
}

/** All values of an option that may be repeated. */
export function manyOption(options: Options, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value : [];
}
