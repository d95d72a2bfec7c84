/**
 * Headers of an answer under construction: names and values in turn. Node writes such a list as it stands, faster than an
 * object; a name must not come twice.
 */
export type HeaderList = string[];

export function addHeader(list: HeaderList, name: string, value: string | number): void {
  list.push(name, typeof value === 'number' ? String(value) : value);
}
