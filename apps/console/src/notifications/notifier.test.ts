import { expect, test } from "vitest";
import type { Stored } from "../api/index.ts";
import { createNotifier } from "./notifier.ts";

const asked = { topic: "approval.requested", data: { id: "p", kind: "approval" } };

function browser(answer: NotificationPermission, visibility: DocumentVisibilityState = "hidden") {
  const shown: { readonly title: string; readonly body: string | undefined; click(): void }[] = [];
  class Shown extends EventTarget {
    static permission: NotificationPermission = "default";
    static async requestPermission() {
      Shown.permission = answer;
      return answer;
    }
    constructor(title: string, options?: NotificationOptions) {
      super();
      shown.push({ title, body: options?.body, click: () => this.dispatchEvent(new Event("click")) });
    }
    close(): void {}
  }
  let kept: string | undefined;
  const wanted: Stored = { read: () => kept, write: (value) => (kept = value), subscribe: () => () => {} };
  const page = { document: { visibilityState: visibility, title: "(1) one" }, focus: () => {}, Notification: Shown };
  return { shown, notifier: createNotifier(page as never, wanted) };
}

test("nothing is shown before the person asked for it; then what waits is, until they turn it off", async () => {
  const { shown, notifier } = browser("granted");
  notifier.receive(asked, () => {});
  expect([notifier.state(), shown]).toEqual(["off", []]);
  await notifier.turnOn();
  expect(notifier.state()).toBe("on");
  let opened = 0;
  notifier.receive(asked, () => opened++);
  notifier.receive({ topic: "turn.finished", data: {} }, () => {});
  expect(shown).toMatchObject([{ title: "(1) one", body: "The agent needs your approval." }]);
  shown[0]?.click();
  expect(opened).toBe(1);
  notifier.turnOff();
  notifier.receive(asked, () => {});
  expect(shown).toHaveLength(1);
});

test("a person who looks at the page is not notified, and neither is one who refused", async () => {
  const seen = browser("granted", "visible");
  await seen.notifier.turnOn();
  seen.notifier.receive(asked, () => {});
  expect(seen.shown).toEqual([]);
  const refused = browser("denied");
  await refused.notifier.turnOn();
  refused.notifier.receive(asked, () => {});
  expect([refused.notifier.state(), refused.shown]).toEqual(["refused", []]);
});

test("a browser without notifications is reported as unsupported", () => {
  const wanted: Stored = { read: () => "on", write: () => {}, subscribe: () => () => {} };
  expect(createNotifier({ document: {} } as never, wanted).state()).toBe("impossible");
});
