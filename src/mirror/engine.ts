/** Is a mirror named by the address of a PostgreSQL server, not by the path of a file? */
export function isServerAddress(mirror: string): boolean {
  return /^postgres(ql)?:/i.test(mirror);
}
