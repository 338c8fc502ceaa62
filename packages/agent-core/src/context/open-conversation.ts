import type { ModelMessage } from "../model/index.ts";
import type { MessageForms } from "./message-forms.ts";

/** What a turn begins with. */
export interface OpenConversation {
  /** The caller's own list. */
  readonly messages: ModelMessage[];
  /** As in `History`. */
  readonly exceedsBounds: boolean;
  readonly forms: MessageForms;
  /** What the messages hold of what was recalled. */
  readonly inSight: ReadonlySet<string>;
  /** As in `History`. */
  readonly tainted: boolean;
}
