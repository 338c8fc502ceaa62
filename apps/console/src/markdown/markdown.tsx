import { lazy, memo, type ReactElement, Suspense, useDeferredValue } from "react";

const load = (): Promise<typeof import("./rendered-markdown.tsx")> => import("./rendered-markdown.tsx");
const Rendered = memo(lazy(load));

/** Loads the markdown renderer before the first text arrives. Where that fails, the first text tries again. */
export function loadMarkdown(): void {
  load().catch(() => {});
}

/** Renders markdown, also while it is streaming. Until the renderer is loaded, it shows the text itself. */
export function Markdown({
  text,
  growing = false,
}: {
  readonly text: string;
  /** More follows: constructs that are open at the end are rendered as if closed. */
  readonly growing?: boolean;
}): ReactElement {
  // Rendered at low priority: typing goes first.
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
