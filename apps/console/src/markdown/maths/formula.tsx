import { lazy, type ReactElement, Suspense } from "react";

const Drawn = lazy(() => import("./drawn-formula.tsx"));

/** A formula as MathML; its source until the renderer is loaded, and where it cannot be read. */
export function Formula({ tex, display = false }: { readonly tex: string; readonly display?: boolean }): ReactElement {
  return (
    <Suspense fallback={<code>{tex}</code>}>
      <Drawn tex={tex} display={display} />
    </Suspense>
  );
}
