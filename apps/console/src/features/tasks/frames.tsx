import { type ReactElement, useEffect, useState } from "react";
import { useApi } from "../../api/index.ts";
import { Button, CopyButton, ErrorState, InlineError, SkeletonRows } from "../../ui/index.ts";
import { frameWords } from "./frame-words.ts";
import { type Frame, followFrames } from "./read-frames.ts";

/** More frames than these are not shown. */
const MOST = 2_000;

/** The frames of a task as the A2A stream sends them, from the first one on and while they come. */
export function Frames({ id }: { readonly id: string }): ReactElement {
  const api = useApi();
  const [frames, setFrames] = useState<readonly Frame[]>([]);
  const [end, setEnd] = useState<{ readonly error?: unknown } | undefined>(undefined);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    const came: Frame[] = [];
    let told = 0;
    const show = (): void => {
      told = 0;
      setFrames(came.slice(0, MOST));
    };
    const tell = (frame: Frame): void => {
      if (came.length <= MOST) came.push(frame);
      // A replay brings thousands at once: one picture of the screen shows all that came before it.
      if (told === 0) told = requestAnimationFrame(show);
    };
    const { signal } = leaving;
    followFrames(api, id, { tell, signal }).then(
      () => signal.aborted || setEnd({}),
      (error: unknown) => signal.aborted || setEnd({ error }),
    );
    return () => {
      leaving.abort();
      cancelAnimationFrame(told);
      setFrames([]);
      setEnd(undefined);
    };
  }, [api, id, attempt]);
  return <FrameList frames={frames} end={end} onRetry={() => setAttempt(attempt + 1)} />;
}

/** The frames that came. `end`: no more of them come, because of an error if it has one. */
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
    return <ErrorState title="The frames cannot be read" error={end.error} onRetry={onRetry} />;
  }
  if (frames.length === 0 && end === undefined) return <SkeletonRows />;
  return (
    <div className="px-2">
      <p role="status" className="pb-2 text-sm text-ink-soft">
        {frames.length >= MOST ? `The first ${MOST} frames` : `${frames.length} frames`}
        {end === undefined && ", and it goes on"}
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

function FrameLine({ frame }: { readonly frame: Frame }): ReactElement {
  const [open, setOpen] = useState(false);
  const { kind, says } = frameWords(frame.data);
  return (
    <details className="rounded-md bg-sunken" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex list-none gap-x-3 rounded-md px-3 py-1 text-sm hover:bg-hover max-list:flex-wrap">
        <span className="w-10 shrink-0 text-ink-soft tabular-nums list:text-right">{frame.id ?? ""}</span>
        <span className="w-32 shrink-0 font-medium">{kind}</span>
        <span className="truncate text-ink-soft max-list:basis-full">{says}</span>
      </summary>
      {open && (
        <div className="flex items-start pr-1 pl-3">
          <pre className="min-w-0 flex-1 pb-2 text-sm whitespace-pre-wrap">{readable(frame.data)}</pre>
          <CopyButton text={frame.data} label="Copy the frame" />
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
