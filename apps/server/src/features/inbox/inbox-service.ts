import { type Inbox, InboxError, type InboxItem } from "@agent-service/agent-core/host";
import { type InboxRow, type InboxService, Problem } from "@agent-service/operator-api";

/** The inbox, for the operator API. `redact` takes secrets out of a text (S5). */
export function inboxService(inbox: Inbox, redact: (text: string) => string): InboxService {
  const shown = (item: InboxItem): InboxRow => ({
    id: item.id,
    created_at: new Date(item.createdAt).toISOString(),
    priority: item.priority,
    source: item.source === "" ? null : redact(item.source),
    text: redact(item.text),
    dedup_key: item.dedupKey === undefined ? null : redact(item.dedupKey),
    delivered_at: item.deliveredAt === undefined ? null : new Date(item.deliveredAt).toISOString(),
  });
  return {
    list: async (which) => (await inbox.list(which)).map(shown),
    async add(item, key) {
      const { item: added, outcome, task } = await inbox.add(item, key).catch(refused);
      return { item: shown(added), outcome, task };
    },
    deliver: (id, key) => inbox.deliver(id, key).catch(refused),
  };
}

function refused(error: unknown): never {
  if (!(error instanceof InboxError)) throw error;
  if (error.code === "unknown_item") throw new Problem(404, "There is no such inbox item.");
  throw new Problem(503, `The inbox is full: ${error.message}.`, { retryAfter: 60 });
}
