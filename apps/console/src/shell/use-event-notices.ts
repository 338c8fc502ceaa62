import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useApi } from "../api/index.ts";
import { useNotices } from "../notices/index.ts";

/** Tells people of events that they should not miss wherever they are. */
export function useEventNotices(): void {
  const { events } = useApi();
  const tell = useNotices();
  const navigate = useNavigate();
  useEffect(
    () =>
      events.listen(({ topic, data }) => {
        if (topic === "turn.input_required") {
          tell({
            text: "The agent waits for you.",
            tone: "waiting",
            action: { label: "Look", run: () => void navigate({ to: "/approvals" }) },
          });
        } else if (topic === "config.rejected") {
          tell({ text: `The configuration was refused: ${String(data.reason)}`, tone: "bad" });
        }
      }),
    [events, tell, navigate],
  );
}
