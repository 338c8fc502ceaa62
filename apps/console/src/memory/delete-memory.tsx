import { useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useApi } from "../api/index.ts";
import { useNotices } from "../notices/index.ts";
import { Button, failureOf, InlineError } from "../ui/index.ts";
import type { Memory } from "./memory.ts";
import { useForgetMemory, useRemoveMemory } from "./use-memory-change.ts";

/** Asks how a memory is to be deleted: so that it can be undone for a day, or for good. */
export function DeleteMemory({
  memory,
  onClose,
}: {
  readonly memory: Memory;
  readonly onClose: () => void;
}): ReactElement {
  const notify = useNotices();
  const remove = useRemoveMemory(memory);
  const forget = useForgetMemory(memory);
  const { operator } = useApi();
  const queries = useQueryClient();
  const { id } = memory;
  // The dialog is gone by then, and a mutation of it would tell nobody.
  const undo = async (): Promise<void> => {
    try {
      await operator.post("/api/knowledge/chunks/{chunk_id}/restore", { params: { chunk_id: String(id) } });
      notify({ text: `Memory ${id} is back.`, tone: "good" });
    } catch (error) {
      notify({ text: failureOf(error).message, tone: "bad" });
    }
    await queries.invalidateQueries({ queryKey: ["knowledge"] });
  };
  // The list is read again before a change has ended, and may have taken this row away: then callbacks of the mutation are not called.
  const removed = (): void => {
    notify({
      text: `Memory ${id} is deleted.`,
      tone: "plain",
      action: { label: "Undo", run: () => void undo() },
    });
    onClose();
  };
  const forgotten = (): void => {
    notify({ text: `Memory ${id} is forgotten for good.`, tone: "plain" });
    onClose();
  };
  // What fails is shown by the mutation itself.
  const isShown = (): void => {};
  const error = remove.error ?? forget.error;
  return (
    <div className="flex flex-col gap-4">
      <p>
        It is found no more at once. For a day it can be restored; then it is forgotten for good, also where
        conversations were shown it. What you and the agent said stays.
      </p>
      {error !== null && <InlineError error={error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="danger" busy={remove.isPending} onClick={() => void remove.mutateAsync().then(removed, isShown)}>
          Delete it
        </Button>
        <Button busy={forget.isPending} onClick={() => void forget.mutateAsync().then(forgotten, isShown)}>
          Forget it for good now
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Keep it
        </Button>
      </div>
    </div>
  );
}
