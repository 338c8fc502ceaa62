import { Code, Eye } from "lucide-react";
import { type ReactElement, useMemo, useState } from "react";
import { Button } from "../../ui/index.ts";
import { CodeBlock } from "../code/code-block.tsx";
import { SandboxedFrame } from "../frames/sandboxed-frame.tsx";

/** A page that a model wrote, as it looks and works in its frame without network, and its source. */
export function BesidePage({ html }: { readonly html: string }): ReactElement {
  const [isSource, setSource] = useState(false);
  const message = useMemo(() => ({ html }), [html]);
  return (
    <>
      <div className="flex items-start justify-between gap-3 pb-2">
        <p className="text-sm text-ink-soft">It has no network: pictures and scripts from elsewhere do not load.</p>
        <Button kind="quiet" small className="-mr-2" onClick={() => setSource(!isSource)}>
          {isSource ? <Eye aria-hidden className="size-4" /> : <Code aria-hidden className="size-4" />}
          {isSource ? "Show page" : "Show source"}
        </Button>
      </div>
      {isSource ? (
        <div className="shrink-0">
          <CodeBlock code={html} language="html" />
        </div>
      ) : (
        <SandboxedFrame
          page="preview"
          title="Preview of the page"
          message={message}
          className="min-h-80 w-full flex-1 rounded-md border border-line bg-white"
        />
      )}
    </>
  );
}
