import { lazy, memo, type ReactElement, Suspense, useDeferredValue } from "react";

const load = (): Promise<typeof import("./rendered-markdown.tsx")> => import("./rendered-markdown.tsx");
const Rendered = memo(lazy(load));

/** Loads what draws markdown, before the first text is there. Where that fails, the first text tries again. */
export function loadMarkdown(): void {
  load().catch(() => {});
}

/** Markdown as people read it, also while it comes. Until its part of the console is there, the text itself. */
export function Markdown({
  text,
  growing = false,
}: {
  readonly text: string;
  /** More comes: what is open at the end is closed for the eye. */
  readonly growing?: boolean;
}): ReactElement {
  // Drawn when nothing is more urgent: what a person types meanwhile goes first.
  const shown = useDeferredValue(text);
  return (
    <Suspense
      fallback={
        <p aria-busy className="whitespace-pre-wrap">
          {text}
        </p>
      }
    >
      <Rendered text={shown} growing={growing || shown !== text} />
    </Suspense>
  );
}
