import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { useApi } from "../api/index.ts";
import { createNotifier, type Notifier } from "./notifier.ts";

export function useNotifier(): Notifier {
  const { notify } = useApi();
  return useMemo(() => createNotifier(window, notify), [notify]);
}

/** Shows notifications of prompts while the page is hidden, if the person turned them on. Used once, around all screens. */
export function useBrowserNotifications(): void {
  const { events } = useApi();
  const navigate = useNavigate();
  const notifier = useNotifier();
  useEffect(
    () => events.listen((event) => notifier.receive(event, () => void navigate({ to: "/approvals" }))),
    [events, notifier, navigate],
  );
}
