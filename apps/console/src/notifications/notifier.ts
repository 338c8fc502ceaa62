import type { ServiceEvent, Stored } from "../api/index.ts";

/** Whether this browser shows notifications of prompts while the page is hidden. */
export type NotifierState = "on" | "off" | "refused" | "impossible";

/** Shows browser notifications of prompts, once the person turned them on. */
export interface Notifier {
  state(): NotifierState;
  subscribe(listener: () => void): () => void;
  /** Requests the browser's permission, where it was not asked yet; called by a button, never at load. */
  turnOn(): Promise<void>;
  turnOff(): void;
  /** Shows a notification for a prompt that waits for a person, where the page is hidden. */
  receive(event: ServiceEvent, open: () => void): void;
}

type Page = Pick<Window, "document" | "focus"> & { readonly Notification?: typeof Notification };

/** Creates the notifier of a page. `wanted` stores the person's choice. */
export function createNotifier(page: Page, wanted: Stored): Notifier {
  const { Notification } = page;
  const state = (): NotifierState => {
    // Browsers offer notifications only on localhost and over TLS.
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
    receive({ topic, data }, open) {
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
