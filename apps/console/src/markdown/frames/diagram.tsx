import { Code, Workflow } from "lucide-react";
import { type ReactElement, useCallback, useMemo, useState } from "react";
import { Button, classNames } from "../../ui/index.ts";
import { CodeBlock } from "../code/code-block.tsx";
import type { DiagramRequest, FrameReport } from "./frame-message.ts";
import { SandboxedFrame } from "./sandboxed-frame.tsx";

const FIRST_HEIGHT = 240;
const MAX_HEIGHT = 800;

/** Mermaid code as a diagram, with its source one press away; the source alone while more of it follows. */
export function Diagram({ code, growing }: { readonly code: string; readonly growing: boolean }): ReactElement {
  const [isSource, setSource] = useState(false);
  const [report, setReport] = useState<FrameReport>();
  const onReport = useCallback((next: FrameReport) => setReport(next), []);
  const message = useMemo<DiagramRequest>(() => ({ code, theme: themeNow() }), [code]);
  if (growing) return <CodeBlock code={code} language="mermaid" growing />;
  const failed = report?.kind === "failed";
  const height = report?.kind === "shown" ? Math.min(report.height, MAX_HEIGHT) : FIRST_HEIGHT;
  return (
    <figure className="my-2 rounded-lg border border-line bg-raised" data-diagram={report?.kind ?? "loading"}>
      <figcaption className="flex min-h-8 items-center justify-between gap-2 pr-1 pl-3 text-xs text-ink-soft">
        {failed
          ? "This diagram cannot be drawn; its source is below."
          : report === undefined
            ? "Drawing the diagram…"
            : "Diagram"}
        {!failed && (
          <Button kind="quiet" small onClick={() => setSource(!isSource)}>
            {isSource ? <Workflow aria-hidden className="size-4" /> : <Code aria-hidden className="size-4" />}
            {isSource ? "Show diagram" : "Show source"}
          </Button>
        )}
      </figcaption>
      {!failed && (
        <div className={classNames("px-3 pb-3", isSource && "hidden")}>
          <SandboxedFrame
            page="diagram"
            title="Diagram"
            message={message}
            onReport={onReport}
            height={height}
            className="w-full"
          />
        </div>
      )}
      {(failed || isSource) && (
        <div className="px-3 pb-1">
          <CodeBlock code={code} language="mermaid" />
        </div>
      )}
    </figure>
  );
}

function themeNow(): DiagramRequest["theme"] {
  const { theme } = document.documentElement.dataset;
  if (theme === "light" || theme === "dark") return theme;
  return window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
