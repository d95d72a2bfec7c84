import { advised, MacroError } from '../../errors.ts';

/** What brings data while no service is chosen: `macro sync` cannot. */
export const NO_SERVICE_CURE =
  'Choose a service with: macro init. The whole file of the publisher, where there is one: macro import FILE';

/** Refusals of a question whose data nobody has brought. */
const UNFILLED: readonly unknown[] = ['not_mirrored', 'no_mirror'];

/** An error whose hint names `macro sync`, as it is told where no service is chosen. */
export function withoutService(error: MacroError): MacroError {
  if (!UNFILLED.includes(error.code) || !error.hint?.includes('macro sync')) return error;
  const { kind, message, code, status, cause } = error;
  const details = { ...(code && { code }), ...(status && { status }), ...(cause !== undefined && { cause }) };
  return advised(new MacroError(kind, message, details), NO_SERVICE_CURE);
}
