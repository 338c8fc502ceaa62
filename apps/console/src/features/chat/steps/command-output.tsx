import { ChevronRight } from "lucide-react";
import { type ReactElement, useId, useLayoutEffect, useRef, useState } from "react";
import { classNames, ScrollRegion } from "../../../ui/index.ts";
import { asShown } from "./output-tail.ts";
import { type CommandOutput as Output, useCommandOutput } from "./use-command-output.ts";

/** What a command writes, while it runs: it follows the end until a person scrolls up, and can be folded. */
export default function CommandOutput({
  taskId,
  callId,
}: {
  readonly taskId: string;
  readonly callId: string;
}): ReactElement {
  const output = useCommandOutput(taskId, callId);
  const [open, setOpen] = useState(true);
  const body = useId();
  return (
    <div className="mt-1 mb-2 ml-1.5 border-l border-line pl-3.5">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? body : undefined}
        onClick={() => setOpen(!open)}
        className="-mx-1.5 flex min-h-6 items-center gap-1.5 rounded-md px-1.5 text-xs text-ink-soft hover:bg-hover"
      >
        <ChevronRight aria-hidden className={classNames("size-3 transition-transform", open && "rotate-90")} />
        Output{output?.text === "" && ", nothing yet"}
      </button>
      <div id={body} hidden={!open}>
        {open && output !== undefined && output.text !== "" && <OutputText output={output} />}
      </div>
    </div>
  );
}

/** Pixels from the end within which new lines are followed. */
const NEAR_END = 24;

function OutputText({ output: { text, isCut, isTruncated } }: { readonly output: Output }): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  useLayoutEffect(() => {
    const view = box.current;
    if (view !== null && text !== "" && isFollowing.current) view.scrollTop = view.scrollHeight;
  }, [text]);
  const look = (): void => {
    const view = box.current;
    if (view === null) return;
    isFollowing.current = view.scrollHeight - view.scrollTop - view.clientHeight <= NEAR_END;
  };
  return (
    <>
      {isCut && <p className="text-xs text-ink-soft">The beginning is not shown.</p>}
      <ScrollRegion
        ref={box}
        label="Output"
        onScroll={look}
        className="max-h-64 overflow-auto rounded-md bg-sunken px-2.5 py-1.5"
      >
        <pre className="text-sm whitespace-pre-wrap">{asShown(text)}</pre>
      </ScrollRegion>
      {isTruncated && <p className="text-xs text-ink-soft">Cut: it writes more than the 10 MiB that are kept.</p>}
    </>
  );
}
