import type { PartialMark, WholeMark } from '../../../contract/answer-members.ts';
import type { RowTexts } from '../../../contract/json/body.ts';
import type { JsonText } from '../../../contract/json/json.ts';

/** A body before it is put together, for whoever hands its rows on as they come. */
export interface BodyParts {
  /** The members beside the rows. */
  readonly envelope: JsonText;
  readonly rows: RowTexts;
  /** The missing parts of a partial answer, or the sources of a complete one. */
  readonly mark?: PartialMark | WholeMark;
}
