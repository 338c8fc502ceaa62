import type { ColouredLines } from "./colour-code.ts";
import type { ColourAnswer, ColourQuestion } from "./colour-message.ts";

type Colourer = Pick<Worker, "postMessage" | "addEventListener">;

/**
 * Highlights code in a worker: compiling a grammar keeps a thread busy for longer than a frame may take. `start` creates
 * the worker, once; again after it could not be loaded, which rejects the pending requests.
 */
export function createHighlighting(start: () => Colourer): (code: string, language: string) => Promise<ColouredLines> {
  let worker: Colourer | undefined;
  let asked = 0;
  const waiting = new Map<number, PromiseWithResolvers<ColouredLines>>();

  function started(): Colourer {
    const made = start();
    made.addEventListener("message", ({ data }: MessageEvent<ColourAnswer>) => {
      waiting.get(data.id)?.resolve(data.lines);
      waiting.delete(data.id);
    });
    made.addEventListener("error", () => {
      for (const one of waiting.values()) one.reject(new Error("Code could not be coloured."));
      waiting.clear();
      worker = undefined;
    });
    return made;
  }
  return (code, language) => {
    worker ??= started();
    const answer = Promise.withResolvers<ColouredLines>();
    const id = asked++;
    waiting.set(id, answer);
    worker.postMessage({ id, code, language } satisfies ColourQuestion);
    return answer.promise;
  };
}

/** Highlights code; undefined: its language is not known. */
export const highlight = createHighlighting(
  () => new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" }),
);
