import { useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useApi } from "../api/index.ts";
import { useNotices } from "../notices/index.ts";
import { endsWaiting, noticeOf } from "./notice-of.ts";

/** Shows a notice for events that a person should not miss on any screen. */
export function useEventNotices(): void {
  const { events } = useApi();
  const notify = useNotices();
  const navigate = useNavigate();
  const router = useRouter();
  useEffect(() => {
    let closeWaiting: (() => void) | undefined;
    return events.listen((event) => {
      if (endsWaiting(event)) closeWaiting?.();
      const notice = noticeOf(event, router.state.location.pathname);
      if (notice === undefined) return;
      const { text, tone, to } = notice;
      const close = notify({ text, tone, action: { label: "Open", run: () => void navigate({ to }) } });
      if (tone === "waiting") closeWaiting = close;
    });
  }, [events, notify, navigate, router]);
}
