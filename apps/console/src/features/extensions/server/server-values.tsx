import { type FormEvent, type ReactElement, useState } from "react";
import { Button, InlineError } from "../../../ui/index.ts";
import { InputFields, isComplete, splitValues, type Values } from "../add/input-fields.tsx";
import { useEditServer } from "../use-servers.ts";
import type { McpServerDetail } from "./mcp-types.ts";

/** Asks for the values that a server waits for. */
export function ServerValues({
  server: { name, placeholders },
}: {
  readonly server: McpServerDetail;
}): ReactElement | null {
  const [values, setValues] = useState<Values>({});
  const edit = useEditServer(name);
  const asked = placeholders
    .filter(({ is_set, has_default }) => !is_set && !has_default)
    .map((one) => ({
      ...{ key: one.name, label: one.name, required: true },
      secret: one.keys.some((key) => key === "env" || key === "headers"),
    }));
  if (asked.length === 0) return null;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    edit.mutate(splitValues(asked, values), { onSuccess: () => setValues((now) => (now === values ? {} : now)) });
  };
  return (
    <form
      aria-label="Missing values"
      className="mb-4 flex flex-col gap-3 border-l-2 border-waiting pl-4"
      onSubmit={submit}
    >
      <h2 className="font-medium">It asks for</h2>
      <InputFields inputs={asked} values={values} onChange={setValues} />
      {edit.error !== null && <InlineError error={edit.error} />}
      <div>
        <Button kind="primary" type="submit" busy={edit.isPending} disabled={!isComplete(asked, values)}>
          Save its values
        </Button>
      </div>
    </form>
  );
}
