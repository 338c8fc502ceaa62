import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { useApi } from "../../api/index.ts";
import { Button, Dialog, InlineError } from "../../ui/index.ts";

/** Cancels a task over A2A after a confirmation. */
export function CancelTask({ id }: { readonly id: string }): ReactElement {
  const api = useApi();
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const cancel = useMutation({
    mutationFn: async () => (await api.agent()).cancel(id),
    onSuccess: () => setOpen(false),
    onSettled: () => queries.invalidateQueries({ queryKey: ["tasks"] }),
  });
  return (
    <>
      <Button small kind="danger" onClick={() => setOpen(true)}>
        Cancel run
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Cancel this run?">
        <div className="flex flex-col gap-4">
          <p>The agent stops. What it did and wrote is kept; what it delegated is canceled too.</p>
          {cancel.error !== null && <InlineError error={cancel.error} />}
          <div className="flex gap-2">
            <Button kind="danger" busy={cancel.isPending} onClick={() => cancel.mutate()}>
              Cancel the run
            </Button>
            <Button onClick={() => setOpen(false)}>Keep it running</Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}
