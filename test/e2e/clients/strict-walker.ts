/** What a walk needs to know of an operation: its parameters, from the served OpenAPI document. */
export interface Route {
  readonly path: string;
  readonly words: Readonly<Record<string, string>>;
  readonly names: readonly string[];
  readonly largestPage: number;
}

export interface Walk {
  /** Text of every row, in the order of the pages. */
  readonly rows: readonly string[];
  readonly pages: number;
}

interface Pagination {
  readonly limit?: number;
  readonly offset?: number;
  readonly returned_count?: number;
  readonly total_count?: number;
  readonly has_more?: boolean;
  readonly next_offset?: number;
  readonly next_cursor?: string;
  readonly next_after_sequence?: number;
}

interface Page extends Pagination {
  readonly data: readonly unknown[];
  readonly pagination?: Pagination;
  readonly checkpoint?: string;
}

/**
 * Walks a route as the strictest client would: it knows nothing but what the pages say of their continuation, and throws on
 * the first promise that is not kept. See docs/interface.md#pages.
 */
export async function walkStrictly(
  ask: (address: string) => Promise<unknown>,
  route: Route,
  limit: number,
): Promise<Walk> {
  const rows: string[] = [];
  const asked = new Set<string>();
  let totals: number | undefined;
  let next: Readonly<Record<string, string>> | undefined = {};
  while (next) {
    const address = `${route.path}?${new URLSearchParams({ ...route.words, ...next, limit: String(limit) })}`;
    demand(!asked.has(address), `${address} is asked twice`);
    demand(asked.size < 1000, 'the walk does not end');
    asked.add(address);
    const page = (await ask(address)) as Page; // judged member by member below
    const told = page.pagination ?? page;
    judge(address, page, { told, limit, before: rows.length });
    demand(totals === undefined || told.total_count === totals, `${address}: total_count moved from ${totals}`);
    totals = told.total_count;
    rows.push(...page.data.map((row) => JSON.stringify(row)));
    next = told.has_more ? continuationOf(page, told, route) : undefined;
  }
  demand(totals === undefined || totals === rows.length, `${route.path}: ${rows.length} rows, ${totals} announced`);
  demand(new Set(rows).size === rows.length, `${route.path} lists a row twice`);
  return { rows, pages: asked.size };
}

function judge(address: string, { data }: Page, at: { told: Pagination; limit: number; before: number }): void {
  const { told, limit, before } = at;
  demand(typeof told.has_more === 'boolean', `${address}: has_more is no truth value`);
  demand(told.has_more === false || data.length > 0, `${address}: empty, with more to come`);
  demand(data.length <= limit, `${address}: ${data.length} rows on a page of ${limit}`);
  demand(told.limit === undefined || told.limit === limit, `${address}: limit is ${told.limit}`);
  demand(told.returned_count === undefined || told.returned_count === data.length, `${address}: miscounted`);
  demand(told.offset === undefined || told.offset === before, `${address}: offset is ${told.offset}`);
  if (told.offset === undefined) return;
  const isLast = before + data.length === told.total_count;
  demand(told.has_more === !isLast, `${address}: has_more contradicts total_count`);
  demand(
    told.next_offset === (isLast ? undefined : before + data.length),
    `${address}: next_offset is ${told.next_offset}`,
  );
}

/** The arguments of the next page, by the parameters that the route has for it. */
function continuationOf(page: Page, told: Pagination, { path, names }: Route): Readonly<Record<string, string>> {
  const { next_offset: offset, next_after_sequence: sequence, next_cursor: cursor } = told;
  const [name, value] = [
    ['offset', offset],
    ['after_sequence', sequence],
    ['cursor', cursor],
    ['before_id', cursor],
    ['since', cursor],
  ].find(([known, given]) => names.includes(String(known)) && given !== undefined) ?? ['', undefined];
  demand(value !== undefined, `${path}: more to come, and no word of where`);
  return { [String(name)]: String(value), ...(page.checkpoint !== undefined && { checkpoint: page.checkpoint }) };
}

function demand(kept: boolean, complaint: string): void {
  if (!kept) throw new Error(complaint);
}
