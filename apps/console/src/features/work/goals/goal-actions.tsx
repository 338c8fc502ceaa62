import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type ReactElement, useState } from "react";
import { requestKey, useApi } from "../../../api/index.ts";
import type { Goal } from "../../../goal/index.ts";
import { useNotices } from "../../../notices/index.ts";
import { Button, CheckField, Dialog, failureOf, InlineError, TextField } from "../../../ui/index.ts";

const AGAIN = { title: "Go on with this goal?", action: "Rearm goal" } as const;
const MORE = { title: "More iterations for this goal", action: "Add iterations" } as const;

/** What can be done with a goal; what needs goals to be switched on is left out while they are not. */
export function GoalActions({ goal, enabled }: { readonly goal: Goal; readonly enabled: boolean }): ReactElement {
  const [open, setOpen] = useState<"rearm" | "clear">();
  const close = (isOpen: boolean): void => {
    if (!isOpen) setOpen(undefined);
  };
  const isActive = goal.status === "active";
  const isIdle = goal.paused !== null || goal.retry_at !== null;
  const rearming = isActive ? MORE : AGAIN;
  return (
    <span className="flex flex-wrap items-center justify-end gap-2">
      {enabled && isActive && isIdle && <ResumeButton session={goal.session_id} />}
      {enabled && <Button onClick={() => setOpen("rearm")}>{isActive ? "More iterations…" : "Rearm…"}</Button>}
      <Button kind="danger" onClick={() => setOpen("clear")}>
        Clear…
      </Button>
      <Dialog open={open === "rearm"} onOpenChange={close} title={rearming.title}>
        <RearmForm goal={goal} onDone={() => setOpen(undefined)} />
      </Dialog>
      <Dialog open={open === "clear"} onOpenChange={close} title="Clear this goal?">
        <ClearForm session={goal.session_id} />
      </Dialog>
    </span>
  );
}

function ResumeButton({ session }: { readonly session: string }): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const notify = useNotices();
  const resume = useMutation({
    mutationFn: () =>
      operator.post("/api/goals/{session_id}/resume", {
        params: { session_id: session },
        idempotencyKey: requestKey(),
      }),
    onSuccess: ({ kicked }) => {
      if (!kicked) notify({ text: "It is worked on already.", tone: "plain" });
    },
    onError: (error) => notify({ text: failureOf(error).message, tone: "bad" }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["goal"] }),
  });
  return (
    <Button kind="primary" busy={resume.isPending} onClick={() => resume.mutate()}>
      Resume
    </Button>
  );
}

function RearmForm({ goal, onDone }: { readonly goal: Goal; readonly onDone: () => void }): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const isActive = goal.status === "active";
  const [more, setMore] = useState(isActive ? "4" : "");
  const rearm = useMutation({
    mutationFn: () =>
      operator.post("/api/goals/{session_id}/rearm", {
        params: { session_id: goal.session_id },
        body: more === "" ? {} : { add_iterations: Number(more) },
        idempotencyKey: requestKey(),
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["goal"] });
      onDone();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    rearm.mutate();
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      {!isActive && <p>It is counted from zero again. Its plan and what happened stay.</p>}
      <TextField
        label="Iterations to add"
        hint={`It has ${goal.max_iterations}${isActive ? "." : "; blank leaves it so."}`}
        type="number"
        min={1}
        max={1_000}
        required={isActive}
        value={more}
        onChange={({ target }) => setMore(target.value)}
      />
      {rearm.error !== null && <InlineError error={rearm.error} />}
      <div>
        <Button kind="primary" type="submit" busy={rearm.isPending}>
          {(isActive ? MORE : AGAIN).action}
        </Button>
      </div>
    </form>
  );
}

function ClearForm({ session }: { readonly session: string }): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotices();
  const [closes, setCloses] = useState(false);
  const clear = useMutation({
    // The page closes first: the event of the removal would make it read the timeline of a goal that is gone.
    onMutate: async () => {
      await navigate({ to: "/work/goals" });
      for (const what of ["one", "timeline"]) queries.removeQueries({ queryKey: ["goal", what, session] });
    },
    mutationFn: () =>
      operator.delete("/api/goals/{session_id}", {
        params: { session_id: session },
        query: closes ? { close_tasks: true } : {},
      }),
    onSuccess({ tasks_closed: closed }) {
      if (closed > 0)
        notify({ text: `${closed === 1 ? "1 board item" : `${closed} board items`} closed.`, tone: "plain" });
    },
    onError: (error) => notify({ text: `The goal was not cleared: ${failureOf(error).message}`, tone: "bad" }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["goal"] }),
  });
  return (
    <div className="flex flex-col gap-4">
      <p>Its plan and what happened are removed, and a turn that works on it is stopped. The chat stays.</p>
      <CheckField
        label="Close the open board items of this chat"
        className="min-h-7 gap-2"
        checked={closes}
        onChange={({ target }) => setCloses(target.checked)}
      />
      <div>
        <Button kind="danger" busy={clear.isPending} onClick={() => clear.mutate()}>
          Clear goal
        </Button>
      </div>
    </div>
  );
}
