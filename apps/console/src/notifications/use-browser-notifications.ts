import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { useApi } from "../api/index.ts";
import { createNotifier, type Notifier } from "./notifier.ts";

/** The notifier of this page. */
export function useNotifier(): Notifier {
  const { notify } = useApi();
  return useMemo(() => createNotifier(window, notify), [notify]);
}

/** Tells of what waits while the page is out of sight, if the person wants that. Used once, around all screens. */
export function useBrowserNotifications(): void {
  const { events } = useApi();
  const navigate = useNavigate();
  const notifier = useNotifier();
  useEffect(
    () => events.listen((event) => notifier.hear(event, () => void navigate({ to: "/approvals" }))),
    [events, notifier, navigate],
  );
}
