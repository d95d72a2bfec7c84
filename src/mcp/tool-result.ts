// Results and errors of tools in the form of the protocol: sentences for a reader, the same as data.
import { MacroError } from '../errors.ts';
import type { ToolAnswer } from './call-tool.ts';

/** A result of a tool, as the protocol has it. */
export type ToolResult = {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent: Record<string, unknown>;
  readonly isError?: true;
};

/** What must not be overlooked comes first; then the data as text, for clients that read no structured content. */
export function toolResult(answer: ToolAnswer): ToolResult {
  const structuredContent = { ...answer };
  return {
    content: [text(sentencesOf(answer).join('\n')), text(JSON.stringify(structuredContent))],
    structuredContent,
  };
}

/** A refusal. A bug of ours is one, too: the connection goes on. */
export function toolError(error: unknown): ToolResult {
  const report = reportOf(error);
  const sentence = `${report.code}: ${report.message}${report.hint === null ? '' : ` ${report.hint}`}`;
  return { content: [text(sentence)], structuredContent: { error: report }, isError: true };
}

function reportOf(error: unknown): { code: string; kind: string; message: string; hint: string | null } {
  if (!(error instanceof MacroError)) {
    const message = `This is a bug of macro: ${error instanceof Error ? error.message : String(error)}`;
    return { code: 'internal_error', kind: 'internal', message, hint: null };
  }
  const kind = typeof error.extra.kind === 'string' ? error.extra.kind : error.kind;
  return { code: error.code ?? kind, kind, message: error.message, hint: error.hint ?? null };
}

function sentencesOf({ mirror, synthetic, page, notes }: ToolAnswer): readonly string[] {
  const { offset, rows, total, next_cursor: next } = page;
  const messageOf = (code: string) => notes.find((note) => note.code === code)?.message;
  return [
    ...(synthetic ? ['SYNTHETIC: these data are made up. Do not take them for real.'] : []),
    ...(mirror.complete === false
      ? [`PARTIAL: ${messageOf('mirror_incomplete') ?? 'the mirror does not hold all of this answer.'}`]
      : []),
    ...(mirror.complete === true ? ['Complete: the mirror holds all that this answer needs.'] : []),
    ...(mirror.complete === null ? [`Completeness is not judged: ${String(mirror.reason)}.`] : []),
    `Rows ${rows === 0 ? 'none' : `${offset + 1} to ${offset + rows}`}${total === null ? '' : ` of ${total}`}.`,
    ...(messageOf('more_rows') === undefined ? [] : [`The answer itself was cut: ${messageOf('more_rows')}`]),
    ...(next === null
      ? []
      : ['There are more rows: call again with the same arguments and cursor = page.next_cursor.']),
  ];
}

function text(value: string): { type: 'text'; text: string } {
  return { type: 'text', text: value };
}
