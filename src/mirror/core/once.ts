/** Makes what few programs use when it is first asked for, and gives the same one ever after. */
export function once<T>(make: () => T): () => T {
  let made: { readonly it: T } | undefined;
  return () => {
    made ??= { it: make() };
    return made.it;
  };
}
