import { hinted, MacroError } from '../../errors.ts';
import { type Options, textOption } from '../parse/options.ts';

const LOGIN = 'macro auth login';

/** What a shell takes as it stands. An address with a name, a password or a query may hold a key: it is not repeated. */
const PLAIN = /^[\w.:/[\]-]+$/;

/** A text whose `macro auth login` works as typed: a service that was named for this command alone is named there too. */
export function withTypedService(text: string, options: Options): string {
  if (!text.includes(LOGIN)) return text;
  const named = ['profile', 'base-url'].flatMap((name) => {
    const value = textOption(options, name);
    return value !== undefined && PLAIN.test(value) ? [`--${name} ${value}`] : [];
  });
  return text.replaceAll(LOGIN, [LOGIN, ...named].join(' '));
}

/** The same for the hint of an error. */
export function advisedForService(error: unknown, options: Options): unknown {
  if (!(error instanceof MacroError) || error.hint === undefined) return error;
  const hint = withTypedService(error.hint, options);
  return hint === error.hint ? error : hinted(error, hint);
}
