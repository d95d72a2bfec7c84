import type { Endpoint } from '../contract/endpoint.ts';
import { loadedEndpoints } from '../endpoints/find.ts';

/** Advice in place of commands of `macro sync`, where no service is chosen: only files that have such series. */
export function cureWithoutService(syncs: string): string {
  const selections = syncs.split('macro sync ').slice(1).join().split(/, ?/);
  const files = selections.map(filesOf).find((file) => file !== undefined);
  const isOpen = selections.every((words) => words === '');
  if (files === undefined && !isOpen) return 'Choose a service with: macro init. No publisher offers this as a file.';
  return `Choose a service with: macro init. Official data needs none: ${files ?? 'macro import ecb'}`;
}

/** The files of the endpoint whose command has most of the first words. */
function filesOf(words: string): string | undefined {
  const length = ({ cli }: Endpoint) => cli?.words.length ?? 0;
  const named = loadedEndpoints().filter(({ cli }) => cli && `${words} `.startsWith(`${cli.words.join(' ')} `));
  return named.sort((a, b) => length(b) - length(a))[0]?.doc.files;
}
