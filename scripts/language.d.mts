export const MAX_WORDS: number;
export interface LanguageFault {
  readonly place: string;
  readonly fault: string;
  readonly sentence: string;
}
/** Faults of a sentence, by the name of the pattern or the word. */
export function faultsOf(sentence: string): readonly string[];
export function wordCount(sentence: string): number;
/** The sentences of a text in Markdown. */
export function sentencesOf(text: string): readonly string[];
/** Texts that a person reads, in a source file. */
export function textsIn(path: string, source: string): readonly string[];
/** Comments of a source file, by paragraph. */
export function commentsIn(path: string, source: string): readonly string[];
export function documentFaults(): readonly LanguageFault[];
export function textFaults(): readonly LanguageFault[];
/** How often comments have a fault, by room and fault. */
export function commentCounts(): Readonly<Record<string, number>>;
