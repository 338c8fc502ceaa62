import { Bell, BellOff } from "lucide-react";
import { type ReactElement, useSyncExternalStore } from "react";
import { Button } from "../ui/index.ts";
import { useNotifier } from "./use-browser-notifications.ts";

/** Turns notifications of this browser on and off. Where there are none, there is no button. */
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
      title="Tell me of what waits while this page is out of sight"
      onClick={() => (on ? notifier.turnOff() : void notifier.turnOn())}
    >
      <Icon aria-hidden className="size-4" />
      Notify me
    </Button>
  );
}
