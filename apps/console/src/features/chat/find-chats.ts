import type { Find } from "../../shell/index.ts";
import { ago } from "../../ui/index.ts";
import { shownTitle } from "./sessions/shown-title.ts";

/** Conversations by the words of their titles and messages, the last used first. */
export const findChats: Find = async (search, { api, limit, signal }) => {
  const query = { limit, ...(search !== "" && { search }) };
  const { sessions } = await api.operator.get("/api/chat/sessions", { query, signal });
  return sessions.map((session) => ({
    id: `chat-${session.session_id}`,
    label: shownTitle(session),
    detail: ago(new Date(session.last_updated), new Date()),
    to: `/chat/${encodeURIComponent(session.session_id)}`,
  }));
};
