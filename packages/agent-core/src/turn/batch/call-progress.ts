/** What running calls say of their progress, for people who watch (`context.progress(text)`). */
import type { Clock } from "../../clock/index.ts";
import type { TaskView } from "../../event/index.ts";
import { clipText } from "../../tool/index.ts";

/** Milliseconds between two texts of a call. */
const GATHER_MS = 250;
/** Characters of a text. */
const TEXT_CHARS = 500;

/** A text of a running call. */
export interface CallProgress {
  readonly view: Readonly<Pick<TaskView, "id" | "context">>;
  readonly call: string;
  readonly name: string;
  readonly text: string;
}

export interface ProgressTextParts {
  readonly clock: Pick<Clock, "now" | "setTimeout">;
  readonly publish: (text: string) => void;
  readonly isRunning: () => boolean;
}

/** Passes a call's texts on, the newest of those that come within a quarter of a second, and none once it has ended. */
export function progressTexts({ clock, publish, isRunning }: ProgressTextParts): (text: string) => void {
  let newest: string | undefined;
  let publishedAt = Number.NEGATIVE_INFINITY;
  let isWaiting = false;
  const pass = (): void => {
    isWaiting = false;
    if (newest === undefined || !isRunning()) return;
    publishedAt = clock.now();
    publish(newest);
    newest = undefined;
  };
  return (text) => {
    newest = clipText(text, TEXT_CHARS);
    if (isWaiting) return;
    const wait = publishedAt + GATHER_MS - clock.now();
    if (wait <= 0) return pass();
    isWaiting = true;
    clock.setTimeout(pass, wait);
  };
}
