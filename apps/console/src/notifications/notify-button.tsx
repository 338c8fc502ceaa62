import { Bell, BellOff } from "lucide-react";
import { type ReactElement, useSyncExternalStore } from "react";
import { Button } from "../ui/index.ts";
import { useNotifier } from "./use-browser-notifications.ts";

/** Turns notifications of this browser on and off. Renders nothing where the browser has none. */
export function NotifyButton(): ReactElement | null {
  const notifier = useNotifier();
  const state = useSyncExternalStore(notifier.subscribe, notifier.state);
  if (state === "impossible") return null;
  if (state === "refused") {
    return (
      <span className="text-sm text-ink-soft max-list:hidden">The browser refuses notifications of this page</span>
    );
  }
  const on = state === "on";
  const Icon = on ? Bell : BellOff;
  return (
    <Button
      small
      kind="quiet"
      aria-pressed={on}
      title="Notify me of prompts while this page is hidden"
      onClick={() => (on ? notifier.turnOff() : void notifier.turnOn())}
    >
      <Icon aria-hidden className="size-4" />
      Notify me
    </Button>
  );
}
