import { type FormEvent, type ReactElement, useState } from "react";
import { useApi } from "../../../api/index.ts";
import { Button, CheckField, InlineError, TextArea } from "../../../ui/index.ts";
import type { McpImport } from "../server/mcp-types.ts";
import { sentence } from "../server/server-state.ts";
import { useEditServer, useServerChange } from "../use-servers.ts";
import { InputFields, isComplete, splitValues, type Values } from "./input-fields.tsx";

const EXAMPLE = `{
  "mcpServers": {
    "docs": { "url": "https://docs.example/mcp" }
  }
}`;

/** Adds the servers of another program's file, and asks for what they need. */
export function ImportFile({ onDone }: { readonly onDone: () => void }): ReactElement {
  const { operator } = useApi();
  const [raw, setRaw] = useState("");
  const [overwrite, setOverwrite] = useState(false);
  const add = useServerChange(() => operator.post("/api/mcp/servers/import", { body: { raw, overwrite } }));
  if (add.data !== undefined) return <Imported result={add.data} onDone={onDone} />;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate(undefined);
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <TextArea
        label="File"
        hint="Of Claude, VS Code, opencode and others, or a server.json of the MCP registry. Values in it are kept as secrets."
        rows={14}
        className="font-mono text-sm"
        spellCheck={false}
        placeholder={EXAMPLE}
        value={raw}
        onChange={({ target }) => setRaw(target.value)}
      />
      <CheckField
        label="Replace servers of the same name"
        className="gap-2 text-sm"
        checked={overwrite}
        onChange={({ target }) => setOverwrite(target.checked)}
      />
      {add.error !== null && <InlineError error={add.error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" busy={add.isPending} disabled={raw.trim() === ""}>
          Add its servers
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}

function Imported({ result, onDone }: { readonly result: McpImport; readonly onDone: () => void }): ReactElement {
  const { added, skipped, inputs, warnings } = result;
  const asking = Map.groupBy(inputs, ({ server }) => server);
  return (
    <div className="flex flex-col gap-5" role="status">
      {added.length > 0 && (
        <p>
          Added: <strong className="font-medium">{added.join(", ")}</strong>.
        </p>
      )}
      {skipped.length > 0 && (
        <section aria-label="Skipped">
          <h3 className="font-medium">Skipped</h3>
          <ul className="text-sm text-ink-soft">
            {skipped.map(({ name, reason }) => (
              <li key={name}>
                {name}: {sentence(reason)}
              </li>
            ))}
          </ul>
        </section>
      )}
      {warnings.length > 0 && (
        <ul aria-label="Warnings" className="text-sm text-ink-soft">
          {warnings.map(({ name, text }) => (
            <li key={`${name} ${text}`}>
              {name}: {sentence(text)}
            </li>
          ))}
        </ul>
      )}
      {[...asking].map(([server, asked]) => (
        <MissingValues key={server} server={server} asked={asked} />
      ))}
      <div>
        <Button kind={asking.size === 0 ? "primary" : "secondary"} onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}

function MissingValues({
  server,
  asked,
}: {
  readonly server: string;
  readonly asked: McpImport["inputs"];
}): ReactElement {
  const [values, setValues] = useState<Values>({});
  const edit = useEditServer(server);
  if (edit.isSuccess) return <p className="text-sm text-good">{server} has its values.</p>;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    edit.mutate(splitValues(asked, values));
  };
  return (
    <form aria-label={`Values of ${server}`} className="flex flex-col gap-3" onSubmit={submit}>
      <h3 className="font-medium">{server} asks for</h3>
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
