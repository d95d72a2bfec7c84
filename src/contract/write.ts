import type { JsonSchema } from './json/schema.ts';

/** The verbs of operations that change something, in the order in which documents list them. */
export const WRITE_VERBS = ['post', 'patch', 'delete'] as const;
export type WriteVerb = (typeof WRITE_VERBS)[number];

/** An operation that changes something at the service. It is never a question: no source answers it, no mirror keeps it. */
export interface Write {
  readonly summary: string;
  /** Shape of the body: the document copies it and bodies are stored to it. Without one, none is sent. */
  readonly body?: JsonSchema;
  readonly status: 200 | 201 | 204;
  /** Shape of the answer; a 204 has none. */
  readonly answer?: JsonSchema;
  /** Done twice it ends as done once, so a lost answer is no reason not to try again. */
  readonly idempotent?: true;
  /** Requests a minute that one caller may make here. */
  readonly budget?: number;
  /** Refusals of its own: status and what it means. */
  readonly refuses?: Readonly<Record<number, string>>;
}

export type Writes = Readonly<Partial<Record<WriteVerb, Write>>>;
