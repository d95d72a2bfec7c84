// What a tool asks, and what it is answered: the border between the protocol and the program that answers.
import type { Endpoint } from '../contract/endpoint.ts';

/** Which rows of an answer are wanted. */
export interface RowWindow {
  readonly offset: number;
  readonly limit: number;
}

/** A question of a tool. */
export type ToolRequest =
  | {
      readonly kind: 'endpoint';
      readonly endpoint: Endpoint;
      /** Arguments by their names in the interface. */
      readonly args: Readonly<Record<string, string>>;
      /** Left to the answer where its route knows no paging. */
      readonly window?: RowWindow;
    }
  | {
      readonly kind: 'command';
      readonly path: readonly string[];
      readonly words: readonly string[];
      readonly options: Readonly<Record<string, string | readonly string[]>>;
    };

/** A sentence beside an answer, or the error in place of one. */
export interface ToolMessage {
  readonly level: 'note' | 'warning' | 'error';
  readonly code: string | null;
  readonly message: string;
  readonly kind?: string;
  readonly hint?: string | null;
}

/** The JSON that the command line prints, and its messages. */
export interface ProgramAnswer {
  /** Empty where there is no answer. */
  readonly body: string;
  readonly messages: readonly ToolMessage[];
}

/** Puts a question to whoever answers. It rejects for bugs only: refusals are messages. */
export type AskProgram = (request: ToolRequest, signal: AbortSignal) => Promise<ProgramAnswer>;

/** A document of the package. */
export interface PackageDocument {
  /** `point-in-time.md` */
  readonly name: string;
  read(): string;
}
