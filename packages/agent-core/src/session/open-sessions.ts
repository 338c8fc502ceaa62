import type { EventBus } from "../bus/index.ts";
import type { Clock } from "../clock/index.ts";
import type { ConversationCache } from "../context/index.ts";
import type { Database } from "../database/index.ts";
import type { Journal } from "../journal/index.ts";
import type { JournalFeed } from "../projection/index.ts";
import type { Redactor } from "../redaction/index.ts";
import type { TaskService } from "../task/index.ts";
import type { DurableTimers } from "../timer/index.ts";
import type { Webhooks } from "../webhook/index.ts";
import { IncognitoTurns } from "./incognito-turns.ts";
import { sessionCommands } from "./session-commands.ts";
import { SessionEdits } from "./session-edits.ts";
import type { SessionIndex } from "./session-index.ts";
import { SessionRemoval } from "./session-removal.ts";
import { Sessions } from "./sessions.ts";

/** What the sessions of an engine are over. */
export interface SessionParts {
  readonly db: Database;
  readonly journal: Journal;
  readonly service: TaskService;
  readonly conversations: ConversationCache;
  readonly clock: Clock;
  readonly bus: EventBus;
  readonly newId: () => string;
  readonly feed: JournalFeed;
  readonly index: SessionIndex;
  readonly redactor: Redactor;
  readonly webhooks: () => Webhooks | undefined;
  readonly timers: Pick<DurableTimers, "cancelOf">;
  /** Removes what the host keeps of a session. */
  readonly forget: ((session: string) => Promise<void>) | undefined;
}

/** What people see of the conversations and do with them. */
export function openSessions(parts: SessionParts) {
  const { db, journal, service, conversations, clock, bus, newId } = parts;
  const { feed, index, redactor, webhooks, timers, forget } = parts;
  const current = (): Promise<void> => feed.idle(index);
  const dropTimers = (context: string): Promise<void> => timers.cancelOf({ class: "operator", context });
  const others = [dropTimers, ...(forget === undefined ? [] : [forget])];
  const sessions = new Sessions({ db, bus, queue: service.runner.queue, current, redactor });
  service.commands.add(sessionCommands({ service, sessions }));
  const removal = new SessionRemoval({
    ...{ db, journal, service, conversations, clock, bus, webhooks, others },
    written: () => feed.idle(),
  });
  return {
    sessions,
    edits: new SessionEdits({ db, journal, service, clock, bus, newId, current }),
    removal,
    incognito: new IncognitoTurns({ db, service, clock, removal }),
  };
}
