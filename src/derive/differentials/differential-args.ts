import type { PageArgs } from '../../contract/endpoint.ts';

/** Arguments of a question for a rate differential, read. */
export interface DifferentialArgs extends PageArgs {
  readonly base: string;
  readonly quote: string;
  readonly measure: string;
  readonly rate_type: string;
  readonly curve_family: string;
  readonly start_tenor_years: number;
  readonly end_tenor_years: number;
  readonly start_date: string;
  readonly end_date: string;
  readonly as_of: number | undefined;
  readonly availability: string;
}

/** The tenors that the service's answers are kept for. */
export const START_TENOR = 2;
export const END_TENOR = 5;
