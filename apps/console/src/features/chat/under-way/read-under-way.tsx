import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Bot, CornerDownRight, X } from "lucide-react";
import type { ReactElement } from "react";
import { useApi } from "../../../api/index.ts";
import { GoalLine } from "../../../goal-line/index.ts";
import { Button, InlineError, StateBadge, workState } from "../../../ui/index.ts";

/** Reads the active goal of a session, its running subagents, and the messages that its turn has not read yet. */
export function ReadUnderWay({ session }: { readonly session: string }): ReactElement {
  return (
    <div className="mx-auto flex w-full max-w-[49.5rem] flex-col gap-1.5 px-4 pb-2 empty:hidden">
      <GoalLine session={session} />
      <Delegations session={session} />
      <Steers session={session} />
    </div>
  );
}

function Steers({ session }: { readonly session: string }): ReactElement | null {
  const { operator } = useApi();
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: ["steering", session],
    queryFn: () => operator.get("/api/chat/sessions/{id}/steer", { params: { id: session } }),
  });
  const remove = useMutation({
    mutationFn: (id: string) =>
      operator.delete("/api/chat/sessions/{id}/steer/{msg_id}", { params: { id: session, msg_id: id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["steering", session] }),
  });
  const pending = data?.pending ?? [];
  if (pending.length === 0) return null;
  return (
    <section aria-label="Messages that were not read yet" className="flex flex-col gap-1">
      {pending.map(({ id, text }) => (
        <p key={id} className="flex items-center gap-2 rounded-md bg-sunken py-0.5 pr-0.5 pl-2 text-sm">
          <CornerDownRight aria-hidden className="size-4 shrink-0 text-ink-soft" />
          <span className="min-w-0 flex-1 truncate">{text}</span>
          <span className="text-xs text-ink-soft">read at the next step</span>
          <Button kind="quiet" icon small aria-label="Withdraw this message" onClick={() => remove.mutate(id)}>
            <X aria-hidden className="size-4" />
          </Button>
        </p>
      ))}
      {remove.error !== null && <InlineError error={remove.error} />}
    </section>
  );
}

function Delegations({ session }: { readonly session: string }): ReactElement | null {
  const { operator } = useApi();
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: ["delegations", session],
    queryFn: () => operator.get("/api/chat/sessions/{id}/delegations", { params: { id: session } }),
  });
  const cancel = useMutation({
    mutationFn: (id: string) =>
      operator.post("/api/chat/sessions/{id}/delegations/{del_id}/cancel", {
        params: { id: session, del_id: id },
        idempotencyKey: crypto.randomUUID(),
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["delegations", session] }),
  });
  const running = data?.running ?? [];
  if (running.length === 0) return null;
  return (
    <section aria-label="Subagents at work" className="flex flex-col gap-1">
      {running.map(({ id, label, subagent_type, state }) => (
        <p key={id} className="flex items-center gap-2 rounded-md bg-sunken py-0.5 pr-1 pl-2 text-sm">
          <Bot aria-hidden className="size-4 shrink-0 text-ink-soft" />
          <span className="min-w-0 flex-1 truncate">{label}</span>
          <span className="text-xs text-ink-soft max-list:hidden">{subagent_type}</span>
          <StateBadge state={workState(state)} short />
          <Button
            kind="quiet"
            small
            busy={cancel.isPending && cancel.variables === id}
            onClick={() => cancel.mutate(id)}
          >
            Cancel
          </Button>
        </p>
      ))}
      {cancel.error !== null && <InlineError error={cancel.error} />}
    </section>
  );
}
