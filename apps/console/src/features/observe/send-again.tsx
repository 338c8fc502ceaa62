import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { useApi, useRuntimeStatus } from "../../api/index.ts";
import { Button, InlineError, SelectField } from "../../ui/index.ts";

/** Asks another model what a turn was asked: in a fork of its conversation, which stays as it is. */
export function SendAgain({ task, model }: { readonly task: string; readonly model: string }): ReactElement | null {
  const { operator } = useApi();
  const navigate = useNavigate();
  const status = useRuntimeStatus();
  const read = useQuery({
    queryKey: ["tasks", "row", task],
    queryFn: () => operator.get("/api/a2a/tasks/{id}/journal", { params: { id: task }, query: { limit: 1 } }),
  });
  const others = [...new Set([status?.model.name, ...(status?.model.favorites ?? [])])].filter(
    (name): name is string => name !== undefined && name !== "" && name !== model,
  );
  const [chosen, choose] = useState<string>();
  const turn = read.data?.task;
  // Empty: the model of the turn.
  const other = chosen ?? others[0] ?? "";
  const send = useMutation({
    mutationFn: async () => {
      if (turn === undefined) return;
      const fork = await operator.post("/api/chat/sessions/{id}/fork", {
        ...{ params: { id: turn.session_id }, body: { task_id: task }, idempotencyKey: crypto.randomUUID() },
      });
      await operator.post("/api/chat/sessions/{id}/regenerate", {
        params: { id: fork.session_id },
        body: other === "" ? {} : { model: other },
        idempotencyKey: crypto.randomUUID(),
      });
      await navigate({ to: "/chat/$session", params: { session: fork.session_id } });
    },
  });
  const isOver = turn !== undefined && turn.state !== "working" && turn.state !== "input-required";
  if (!isOver || turn.class !== "operator" || turn.role !== null) return null;
  return (
    <div className="flex flex-wrap items-end gap-2">
      <div className="min-w-48">
        <SelectField label="Send again with" value={other} onChange={({ target }) => choose(target.value)}>
          <option value="">{model} (the same)</option>
          {others.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <Button busy={send.isPending} onClick={() => send.mutate()}>
        Send in a fork
      </Button>
      {send.error !== null && <InlineError error={send.error} />}
    </div>
  );
}
