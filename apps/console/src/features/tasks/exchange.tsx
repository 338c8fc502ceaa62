import { useQuery } from "@tanstack/react-query";
import { type ReactElement, type ReactNode, useState } from "react";
import { useApi } from "../../api/index.ts";
import { Markdown } from "../../markdown/index.ts";
import { answerOf, type JournalRow, messageOf, type TimelineSource } from "../../timeline/index.ts";
import { Button, classNames } from "../../ui/index.ts";

/** A text of more characters, or lines, is folded at first. */
const LONG_CHARS = 900;
const LONG_LINES = 14;

/** What was asked in a run. */
export function Asked({ source }: { readonly source: TimelineSource }): ReactElement | null {
  const text = messageOf(source);
  if (text === "") return null;
  return (
    <Words title="Asked" text={text}>
      <p className="w-fit max-w-full rounded-lg bg-accent-soft px-3.5 py-2 whitespace-pre-wrap wrap-anywhere">{text}</p>
    </Words>
  );
}

/** What was answered in a run, or why there is no answer. */
export function Answered({ source }: { readonly source: TimelineSource }): ReactElement {
  const answer = useAnswer(source);
  const { state, status } = source.task;
  return (
    <Words title="Answered" text={answer?.text ?? ""}>
      {answer !== undefined && (
        <div className="max-w-[76ch]">
          <Markdown text={answer.text} />
        </div>
      )}
      {answer?.truncated === true && <p className="pt-2 text-sm text-ink-soft">The rest is in its conversation.</p>}
      {answer === undefined && <p className="text-ink-soft">{MISSING[state]}</p>}
      {status !== null && <p className={classNames("pt-1", state === "failed" && "text-bad")}>{status}</p>}
    </Words>
  );
}

const MISSING: Readonly<Record<TimelineSource["task"]["state"], string>> = {
  working: "No answer yet: it is at work.",
  "input-required": "No answer yet.",
  completed: "It ended without a text.",
  failed: "It failed before it answered.",
  canceled: "It was canceled before it answered.",
};

/** The line of the answer; of a run with more lines than were read, it is asked for. */
function useAnswer(source: TimelineSource): Extract<JournalRow, { readonly kind: "answer" }> | undefined {
  const { operator } = useApi();
  const { task, more = false } = source;
  const known = answerOf(source.events);
  const { data } = useQuery({
    queryKey: ["tasks", "answer", task.task_id],
    enabled: known === undefined && more && task.state === "completed",
    queryFn: () =>
      operator.get("/api/a2a/tasks/{id}/journal", {
        params: { id: task.task_id },
        query: { order: "newest", limit: 5 },
      }),
  });
  return known ?? (data && answerOf(data.events));
}

function Words({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > LONG_CHARS || text.split("\n", LONG_LINES + 1).length > LONG_LINES;
  return (
    <section aria-label={title} className="flex max-w-4xl flex-col gap-1 px-4 pt-3">
      <h2 className="text-xs font-medium text-ink-soft">{title}</h2>
      <div className={isLong && !isOpen ? "max-h-60 overflow-hidden mask-b-from-70%" : undefined}>{children}</div>
      {isLong && (
        <Button small kind="quiet" className="self-start" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show less" : "Show all of it"}
        </Button>
      )}
    </section>
  );
}
