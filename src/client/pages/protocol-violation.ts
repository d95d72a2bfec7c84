import type { Endpoint } from '../../contract/endpoint.ts';
import { MacroError } from '../../errors.ts';

/** A page that contradicts itself or the walk that it belongs to. */
export function protocolViolation(endpoint: Endpoint, what: string): MacroError {
  return new MacroError('protocol', `The pages of ${endpoint.id} do not fit together: ${what}.`, {
    code: 'paging_breach',
    hint: 'The result was not proven complete, so it is not shown as such. Try again later or with another --limit.',
  });
}

/** The result moved while it was read: nobody is wrong, but the pages are not one answer. */
export function snapshotChanged(endpoint: Endpoint, what: string): MacroError {
  return new MacroError('incomplete', `The data of ${endpoint.id} changed while they were read: ${what}.`, {
    code: 'result_moved',
    hint: 'Run it again; a closed window (--end) moves less often.',
  });
}
