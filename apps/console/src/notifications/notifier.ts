import type { ServiceEvent, Stored } from "../api/index.ts";

/** Whether this browser tells of what waits while the page is not looked at. */
export type NotifierState = "on" | "off" | "refused" | "impossible";

/** Tells of what waits through the browser, once the person asked for it. */
export interface Notifier {
  state(): NotifierState;
  subscribe(tell: () => void): () => void;
  /** Asks the person, where the browser has not asked yet; called by a button, never at load. */
  turnOn(): Promise<void>;
  turnOff(): void;
  /** Shows a notification for an event that waits for a person, where the page is out of sight. */
  hear(event: ServiceEvent, open: () => void): void;
}

type Page = Pick<Window, "document" | "focus"> & { readonly Notification?: typeof Notification };

/** Makes the notifier of a page. `wanted` keeps what the person chose. */
export function createNotifier(page: Page, wanted: Stored): Notifier {
  const { Notification } = page;
  const state = (): NotifierState => {
    // Browsers have it for pages on localhost and over TLS alone.
    if (Notification === undefined) return "impossible";
    if (Notification.permission === "denied") return "refused";
    return Notification.permission === "granted" && wanted.read() === "on" ? "on" : "off";
  };
  return {
    state,
    subscribe: wanted.subscribe,
    async turnOn() {
      if (Notification === undefined) return;
      const permission = await Notification.requestPermission();
      wanted.write(permission === "granted" ? "on" : undefined);
    },
    turnOff: () => wanted.write(undefined),
    hear({ topic, data }, open) {
      if (topic !== "approval.requested" || Notification === undefined) return;
      if (state() !== "on" || page.document.visibilityState === "visible") return;
      const asks = data.kind === "approval" ? "The agent needs your approval." : "The agent has a question for you.";
      const shown = new Notification(page.document.title, { body: asks, tag: String(data.id) });
      shown.addEventListener("click", () => {
        page.focus();
        open();
        shown.close();
      });
    },
  };
}
