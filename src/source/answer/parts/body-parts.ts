import type { JsonText } from '../../../contract/json/json.ts';
import type { RowTexts } from '../../../contract/json/row-texts.ts';
import type { PartialMark } from '../../../contract/mark.ts';

/** A body before it is put together, for whoever hands its rows on as they come. */
export interface BodyParts {
  /** The members beside the rows. */
  readonly envelope: JsonText;
  readonly rows: RowTexts;
  /** What a partial answer lacks. */
  readonly mark?: PartialMark;
}
