/** Names and values in turn, each name once: Node writes such a list faster than an object. */
export type HeaderList = string[];

export function addHeader(list: HeaderList, name: string, value: string | number): void {
  list.push(name, typeof value === 'number' ? String(value) : value);
}
