import { createColouring } from "./colour-code.ts";
import type { ColourAnswer, ColourQuestion } from "./colour-message.ts";

const colour = createColouring();

self.addEventListener("message", ({ data: { id, code, language } }: MessageEvent<ColourQuestion>) => {
  void colour(code, language)
    // Code that cannot be highlighted is shown as it is.
    .catch(() => undefined)
    .then((lines) => self.postMessage({ id, lines } satisfies ColourAnswer));
});
