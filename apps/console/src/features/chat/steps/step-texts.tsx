import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useApi } from "../../../api/index.ts";
import { CopyButton } from "../../../markdown/index.ts";
import { ScrollRegion, Skeleton } from "../../../ui/index.ts";
import type { SkippedApproval, Step, ThoughtStep, ToolStep } from "../live/live-turn.ts";
import { type CallTexts, callsIn } from "./calls-in.ts";

/** What a step holds, once it is unfolded: what was thought, or the exact call. */
export default function StepTexts({
  step,
  taskId,
}: {
  readonly step: Step;
  readonly taskId: string | undefined;
}): ReactElement {
  return step.kind === "thought" ? <ThoughtText step={step} /> : <ToolTexts step={step} taskId={taskId} />;
}

function ThoughtText({ step: { text, truncated = false } }: { readonly step: ThoughtStep }): ReactElement {
  return (
    <>
      <p className="max-w-[72ch] text-sm whitespace-pre-wrap text-ink-soft">{text}</p>
      {truncated && <p className="text-xs text-ink-soft">Shortened: the reasoning is longer.</p>}
    </>
  );
}

function skippedText({ by, rule }: SkippedApproval): string {
  if (by === "bypass") return "It ran without asking: approvals were bypassed in this chat.";
  if (by === "rule") return `It ran without asking: your settings allow ${rule ?? "it"}.`;
  return "It ran without asking: you always allow this exact request.";
}

/** The exact call, as JSON: whole once it has ended, until then what was received of it. */
function ToolTexts({ step, taskId }: { readonly step: ToolStep; readonly taskId: string | undefined }): ReactElement {
  const { operator } = useApi();
  const { data, isPending, error } = useQuery({
    queryKey: ["calls", taskId, step.outcome],
    enabled: taskId !== undefined && step.outcome !== "running",
    async queryFn({ signal }) {
      const { readJournal } = await import("../inspector/read-journal.ts");
      return callsIn((await readJournal(operator, taskId ?? "", signal)).events);
    },
  });
  const stored = data?.find(({ id }) => id === step.id);
  const received: CallTexts = { id: step.id, args: step.args ?? "", result: step.result, truncated: false };
  const call = stored ?? received;
  if (stored === undefined && step.outcome !== "running" && isPending) return <Skeleton className="h-16 w-full" />;
  return (
    <div className="flex flex-col gap-2">
      {step.title !== undefined && (
        <p className="text-xs text-ink-soft">
          Tool <code>{step.name}</code>
        </p>
      )}
      {step.skipped !== undefined && <p className="text-xs text-ink-soft">{skippedText(step.skipped)}</p>}
      <TextBox label="Arguments" text={call.args} />
      {call.result !== undefined && <TextBox label={step.outcome === "ok" ? "Result" : "Error"} text={call.result} />}
      {call.truncated && <p className="text-xs text-ink-soft">Shortened: the tool's output is longer.</p>}
      {error !== null && stored === undefined && (
        <p className="text-xs text-ink-soft">The whole call could not be read; this is the part that was received.</p>
      )}
    </div>
  );
}

function TextBox({ label, text }: { readonly label: string; readonly text: string }): ReactElement {
  const shown = prettyJson(text);
  return (
    <div>
      <p className="flex items-center justify-between text-xs text-ink-soft">
        {label}
        <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
      </p>
      <ScrollRegion label={label} className="max-h-80 overflow-auto rounded-md bg-sunken px-2.5 py-1.5">
        <pre className="text-sm whitespace-pre-wrap">{shown === "" ? "–" : shown}</pre>
      </ScrollRegion>
    </div>
  );
}

function prettyJson(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? JSON.stringify(value, undefined, 2) : text;
  } catch {
    return text;
  }
}
