/** What forgetting is opened over. */
import type { EventBus } from "../../bus/index.ts";
import type { Clock } from "../../clock/index.ts";
import type { TextRewriting } from "../../feature/index.ts";
import type { KnowledgeStore } from "../knowledge-store.ts";
import type { ConversationCopies } from "./conversation-copies.ts";

export interface ForgettingOptions {
  readonly store: Pick<KnowledgeStore, "alone" | "index">;
  /** Whether the store has been made. */
  readonly exists: () => boolean;
  /** Overwrites what the stores' files hold of rows that are gone. */
  readonly eraseRemains: () => Promise<void>;
  /** Takes what is hidden out of the commons, where memories are kept there. On the disk when it resolves. */
  readonly withdrawHidden: () => Promise<void>;
  /** Deletes a document for good. */
  readonly forgetSource: (source: number) => Promise<void>;
  readonly copies: Pick<ConversationCopies, "count" | "remove">;
  /** Changes texts in what others keep of conversations. */
  readonly rewriteTexts: (rewriting: TextRewriting) => Promise<void>;
  /** The class whose conversations memories are written in. */
  readonly memoryClass: string;
  readonly clock: Pick<Clock, "now">;
  readonly bus: EventBus;
  readonly onFailure: (error: unknown) => void;
}

/** Summaries of conversations, where they are kept. */
export interface SessionSummaries {
  has(session: string): Promise<boolean>;
  /** True: there was one. Repeating it changes nothing. */
  remove(session: string): Promise<boolean>;
}
