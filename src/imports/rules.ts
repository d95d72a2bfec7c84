import { formatNamed } from './formats.ts';

/** The rule by which the importer of a request (`import FORMAT FILE ...`) knows when a row was published. */
export function ruleOfRequest(request: string): string | undefined {
  const [command, id = ''] = request.split(' ');
  return command === 'import' ? formatNamed(id)?.publication.rule : undefined;
}
