import { useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useApi } from "../api/index.ts";
import { useNotices } from "../notices/index.ts";

/** Tells people of events that they should not miss wherever they are. */
export function useEventNotices(): void {
  const { events } = useApi();
  const tell = useNotices();
  const navigate = useNavigate();
  const router = useRouter();
  useEffect(
    () =>
      events.listen(({ topic, data }) => {
        if (topic === "turn.input_required") {
          // Where its card stands, the conversation says so itself.
          if (isConversation(router.state.location.pathname, data.session_id)) return;
          tell({
            text: "The agent waits for you.",
            tone: "waiting",
            action: { label: "Look", run: () => void navigate({ to: "/approvals" }) },
          });
        } else if (topic === "config.rejected") {
          tell({ text: `The configuration was refused: ${String(data.reason)}`, tone: "bad" });
        }
      }),
    [events, tell, navigate, router],
  );
}

/** Whether the screen at `path` (`/app/chat/one`) is the conversation that waits. */
export function isConversation(path: string, session: unknown): boolean {
  return path.endsWith(`/chat/${encodeURIComponent(String(session))}`);
}
