import { lazy, type ReactElement, Suspense } from "react";

const Rendered = lazy(() => import("./rendered-markdown.tsx"));

/** Markdown as people read it, also while it comes. Until its part of the console is there, the text itself. */
export function Markdown({
  text,
  growing = false,
}: {
  readonly text: string;
  /** More comes: what is open at the end is closed for the eye. */
  readonly growing?: boolean;
}): ReactElement {
  return (
    <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
      <Rendered text={text} growing={growing} />
    </Suspense>
  );
}
