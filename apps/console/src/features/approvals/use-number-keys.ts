import { useEffect, useMemo, useRef } from "react";
import { type Command, useCommands } from "../../commands/index.ts";
import { focusPrompt, promptTitle, type WaitingPrompt } from "../../prompts/index.ts";

const MOST = 9;

/** `1` to `9` go to a prompt of the list; the palette finds them by their question. */
export function useNumberKeys(prompts: readonly WaitingPrompt[]): void {
  useCommands(useMemo(() => promptCommands(prompts, focusPrompt), [prompts]));
}

export function promptCommands(
  prompts: readonly Pick<WaitingPrompt, "id" | "payload">[],
  focus: (id: string) => void,
): readonly Command[] {
  return prompts.slice(0, MOST).map((prompt, at) => ({
    id: `prompt-${prompt.id}`,
    label: `Answer: ${promptTitle(prompt)}`,
    keys: String(at + 1),
    group: "Approvals",
    run: () => focus(prompt.id),
  }));
}

/** When the focused prompt is answered, the next one gets the focus, so that a list can be answered by keys alone. */
export function useFocusNext(prompts: readonly WaitingPrompt[]): void {
  const last = useRef<{ readonly id: string; readonly at: number } | undefined>(undefined);
  useEffect(() => {
    const note = (event: FocusEvent): void => {
      const card = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-prompt]") : null;
      const id = card?.dataset.prompt;
      const at = prompts.findIndex((prompt) => prompt.id === id);
      last.current = id === undefined || at < 0 ? undefined : { id, at };
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, [prompts]);
  useEffect(() => {
    const before = last.current;
    if (before === undefined || prompts.some(({ id }) => id === before.id)) return;
    last.current = undefined;
    const next = prompts[Math.min(before.at, prompts.length - 1)];
    // The person may have moved the focus meanwhile.
    if (next !== undefined && (document.activeElement === document.body || document.activeElement === null)) {
      focusPrompt(next.id);
    }
  }, [prompts]);
}
