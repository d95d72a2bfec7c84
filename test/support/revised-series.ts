/** Unix seconds of an ISO time. */
export const at = (iso: string) => Date.parse(iso) / 1000;

export interface Revision {
  readonly val: number;
  readonly epoch?: string;
  readonly seen?: string;
  readonly first?: boolean;
}

/** A row of an announced series with the values that it had. */
export const revisedRow = (date: string, val: number, release: string, revisions: readonly Revision[] = []) => ({
  date,
  val,
  announcement_datetime: at(release),
  ...(revisions.length > 0 && {
    revisions: revisions.map(({ val, epoch, seen, first }) => ({
      val,
      ...(epoch && { epoch: at(epoch) }),
      ...(seen && { observed_at_ns_string: `${at(seen)}000000000` }),
      ...(first !== undefined && { is_first_release: first }),
    })),
  }),
});

/** June was first told as 4.1, corrected in August to 4.2 and in September to 4.3. */
export const JUNE = revisedRow('2026-06-30', 4.3, '2026-07-03T12:30:00Z', [
  { val: 4.1, epoch: '2026-07-03T12:30:00Z', seen: '2026-07-03T12:30:06Z', first: true },
  { val: 4.2, epoch: '2026-08-07T12:30:00Z', seen: '2026-08-20T09:00:00Z', first: false },
  { val: 4.3, epoch: '2026-09-04T12:30:00Z', seen: '2026-09-04T12:30:05Z', first: false },
]);
/** July never changed. */
export const JULY = revisedRow('2026-07-31', 4.0, '2026-08-07T12:30:00Z');
