import { type ReactElement, useEffect, useState } from "react";
import { useApi } from "../../api/index.ts";
import { Button, CopyButton, count, ErrorState, InlineError, SkeletonRows } from "../../ui/index.ts";
import { frameSummary } from "./frame-summary.ts";
import { type Frame, followFrames } from "./read-frames.ts";

/** Maximum number of frames that are shown. */
const MOST = 2_000;

/** The frames of a task's A2A stream, from the first on, live. */
export function Frames({ id }: { readonly id: string }): ReactElement {
  const api = useApi();
  const [frames, setFrames] = useState<readonly Frame[]>([]);
  const [end, setEnd] = useState<{ readonly error?: unknown } | undefined>(undefined);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    const came: Frame[] = [];
    let frameRequest = 0;
    const show = (): void => {
      frameRequest = 0;
      setFrames(came.slice(0, MOST));
    };
    const onFrame = (frame: Frame): void => {
      if (came.length <= MOST) came.push(frame);
      // A replay sends thousands at once: all that arrived are shown in the next animation frame.
      if (frameRequest === 0) frameRequest = requestAnimationFrame(show);
    };
    const { signal } = leaving;
    followFrames(api, id, { onFrame, signal }).then(
      () => signal.aborted || setEnd({}),
      (error: unknown) => signal.aborted || setEnd({ error }),
    );
    return () => {
      leaving.abort();
      cancelAnimationFrame(frameRequest);
      setFrames([]);
      setEnd(undefined);
    };
  }, [api, id, attempt]);
  return <FrameList frames={frames} end={end} onRetry={() => setAttempt(attempt + 1)} />;
}

/** The frames received. `end`: the stream ended, with its error if it failed. */
export function FrameList({
  frames,
  end,
  onRetry,
}: {
  readonly frames: readonly Frame[];
  readonly end: { readonly error?: unknown } | undefined;
  readonly onRetry: () => void;
}): ReactElement {
  if (end?.error !== undefined && frames.length === 0) {
    return <ErrorState title="The messages cannot be read" error={end.error} onRetry={onRetry} />;
  }
  if (frames.length === 0 && end === undefined) return <SkeletonRows />;
  return (
    <div className="px-2">
      <p role="status" className="pb-2 text-sm text-ink-soft">
        {frames.length >= MOST ? `The first ${count(MOST)} messages` : messages(frames.length)}
        {end === undefined && ", still open"}
      </p>
      <ol className="flex flex-col gap-1">
        {frames.map((frame, index) => (
          <li key={index} className="[contain-intrinsic-size:auto_2rem] [content-visibility:auto]">
            <FrameLine frame={frame} />
          </li>
        ))}
      </ol>
      {end?.error !== undefined && (
        <div className="flex flex-wrap items-center gap-3 px-3 py-2">
          <InlineError error={end.error} />
          <Button small onClick={onRetry}>
            Read again
          </Button>
        </div>
      )}
    </div>
  );
}

function messages(number: number): string {
  return number === 1 ? "1 message" : `${count(number)} messages`;
}

function FrameLine({ frame }: { readonly frame: Frame }): ReactElement {
  const [open, setOpen] = useState(false);
  const { kind, text } = frameSummary(frame.data);
  return (
    <details className="rounded-md bg-sunken" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex list-none gap-x-3 rounded-md px-3 py-1 text-sm hover:bg-hover max-list:flex-wrap">
        <span className="w-10 shrink-0 text-ink-soft tabular-nums list:text-right">{frame.id ?? ""}</span>
        <span className="w-32 shrink-0 font-medium">{kind}</span>
        <span className="truncate text-ink-soft max-list:basis-full">{text}</span>
      </summary>
      {open && (
        <div className="flex items-start pr-1 pl-3">
          <pre className="min-w-0 flex-1 pb-2 text-sm whitespace-pre-wrap">{readable(frame.data)}</pre>
          <CopyButton text={frame.data} label="Copy the message" />
        </div>
      )}
    </details>
  );
}

function readable(data: string): string {
  try {
    return JSON.stringify(JSON.parse(data), undefined, 2);
  } catch {
    return data;
  }
}
