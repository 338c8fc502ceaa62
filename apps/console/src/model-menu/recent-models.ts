import { createStored } from "../api/index.ts";

const MAX = 5;

/** The models that were chosen last in this browser, the newest first; five at most. */
export function recentModels(window: Window): { read(): readonly string[]; add(model: string): void } {
  const stored = createStored("agent-service.recent-models", window);
  const read = (): readonly string[] => (stored.read() ?? "").split("\n").filter(Boolean);
  return {
    read,
    add: (model) => stored.write([model, ...read().filter((one) => one !== model)].slice(0, MAX).join("\n")),
  };
}
