import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { useApi } from "../../api/index.ts";
import { ModelChip } from "../../model-menu/index.ts";
import { Button, InlineError } from "../../ui/index.ts";

/** Asks a model what a turn was asked: in a fork of its conversation, which stays as it is. */
export function SendAgain({ task, model }: { readonly task: string; readonly model: string }): ReactElement | null {
  const { operator } = useApi();
  const navigate = useNavigate();
  const read = useQuery({
    queryKey: ["tasks", "row", task],
    queryFn: () => operator.get("/api/a2a/tasks/{id}/journal", { params: { id: task }, query: { limit: 1 } }),
  });
  // Empty: the model of the turn.
  const [chosen, choose] = useState("");
  const turn = read.data?.task;
  const send = useMutation({
    mutationFn: async () => {
      if (turn === undefined) return;
      const fork = await operator.post("/api/chat/sessions/{id}/fork", {
        ...{ params: { id: turn.session_id }, body: { task_id: task }, idempotencyKey: crypto.randomUUID() },
      });
      await operator.post("/api/chat/sessions/{id}/regenerate", {
        params: { id: fork.session_id },
        body: chosen === "" ? {} : { model: chosen },
        idempotencyKey: crypto.randomUUID(),
      });
      await navigate({ to: "/chat/$session", params: { session: fork.session_id } });
    },
  });
  const isOver = turn !== undefined && turn.state !== "working" && turn.state !== "input-required";
  if (!isOver || turn.class !== "operator" || turn.role !== null) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-sm text-ink-soft">Send again with</span>
      <ModelChip value={chosen} unchosen={model} title="Model to send it to again" onChange={choose} />
      <Button busy={send.isPending} onClick={() => send.mutate()}>
        Send in a fork
      </Button>
      {send.error !== null && <InlineError error={send.error} />}
    </div>
  );
}
