import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useState } from "react";
import { requestKey, useApi } from "../api/index.ts";
import { Button, focusInvalid, InlineError, TextField } from "../ui/index.ts";
import { problemOfPrice } from "./token-prices.ts";

/** Enters the price of a model of a connection. */
export function PriceForm({
  id,
  model,
  onDone,
}: {
  readonly id: string;
  readonly model: string;
  readonly onDone: () => void;
}): ReactElement {
  const [input, setInput] = useState("");
  const [output, setOutput] = useState("");
  const [tried, setTried] = useState(false);
  const save = useSavePrice(id, model);
  const problems = [problemOfPrice(input), problemOfPrice(output)];
  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (problems.some((problem) => problem !== undefined)) focusInvalid(event.currentTarget);
    else save.mutate({ input: Number(input), output: Number(output) }, { onSuccess: onDone });
  }
  const field = { inputMode: "decimal", autoComplete: "off", className: "w-28" } as const;
  return (
    <form
      noValidate
      aria-label={`Price of ${model}`}
      className="flex w-full flex-wrap items-start gap-3"
      onSubmit={submit}
    >
      <TextField
        {...field}
        label="Dollars per million tokens in"
        error={tried ? problems[0] : undefined}
        value={input}
        onChange={(event) => setInput(event.target.value)}
      />
      <TextField
        {...field}
        label="Out"
        error={tried ? problems[1] : undefined}
        value={output}
        onChange={(event) => setOutput(event.target.value)}
      />
      <div className="flex gap-2 self-end">
        <Button kind="primary" small type="submit" busy={save.isPending}>
          Save
        </Button>
        <Button small onClick={onDone}>
          Cancel
        </Button>
      </div>
      {save.error !== null && <InlineError error={save.error} />}
    </form>
  );
}

function useSavePrice(id: string, model: string) {
  const { operator } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (price: { readonly input: number; readonly output: number }) => {
      // Merged with the other models' entries as they are now, not as they were when the page was read.
      const { providers, revision } = await operator.get("/api/providers");
      const stored = providers.find((one) => one.id === id)?.models ?? {};
      const models = { ...stored, [model]: { ...(stored[model] as object | undefined), price } };
      return operator.put("/api/providers/{id}", {
        params: { id },
        body: { models, revision },
        idempotencyKey: requestKey(),
      });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["providers"] }),
  });
}
