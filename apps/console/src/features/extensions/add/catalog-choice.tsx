import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useState } from "react";
import { useApi } from "../../../api/index.ts";
import { useNotices } from "../../../notices/index.ts";
import { Button, EmptyState, ErrorState, InlineError, SkeletonRows, TextField } from "../../../ui/index.ts";
import type { CatalogServer } from "../server/mcp-types.ts";
import { useServerChange } from "../use-servers.ts";
import { InputFields, isComplete, splitValues, type Values } from "./input-fields.tsx";

/** Chooses a server that is known to work; it needs only its values. */
export function CatalogChoice({ onDone }: { readonly onDone: () => void }): ReactElement {
  const { operator } = useApi();
  const [search, setSearch] = useState("");
  const [chosen, choose] = useState<CatalogServer>();
  const { data, error, refetch } = useQuery({
    queryKey: ["mcp", "catalog"],
    queryFn: async () => (await operator.get("/api/mcp/catalog")).servers,
  });
  if (chosen !== undefined) return <CatalogInputs server={chosen} onBack={() => choose(undefined)} onDone={onDone} />;
  const wanted = search.trim().toLowerCase();
  const found = data?.filter((one) =>
    [one.name, one.tagline, one.category, one.may].join(" ").toLowerCase().includes(wanted),
  );
  return (
    <div className="flex flex-col gap-3">
      <TextField
        label="Search the catalogue"
        bare
        type="search"
        placeholder="Search the catalogue"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      {data === undefined && error === null && <SkeletonRows />}
      {data === undefined && error !== null && (
        <ErrorState title="The catalogue cannot be read" error={error} onRetry={() => void refetch()} />
      )}
      {found?.length === 0 && (
        <EmptyState drawing="search" title="None matches">
          Find another word, or add the server by hand.
        </EmptyState>
      )}
      <ul aria-label="Catalogue" className="divide-y divide-line">
        {found?.map((server) => (
          <li key={server.id} className="flex items-start gap-3 py-3">
            <div className="min-w-0 flex-1">
              <h3 className="font-medium">
                {server.name} <span className="text-sm font-normal text-ink-soft">{server.category}</span>
              </h3>
              <p className="text-sm">{server.tagline}</p>
              <p className="text-sm text-ink-soft">{server.may}</p>
            </div>
            <Button small aria-label={`Add ${server.name}`} disabled={server.installed} onClick={() => choose(server)}>
              {server.installed ? "Added" : "Add"}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function CatalogInputs({
  server,
  onBack,
  onDone,
}: {
  readonly server: CatalogServer;
  readonly onBack: () => void;
  readonly onDone: () => void;
}): ReactElement {
  const { operator } = useApi();
  const notify = useNotices();
  const [values, setValues] = useState<Values>({});
  const add = useServerChange(() =>
    operator.post("/api/mcp/servers", { body: { catalog: server.id, ...splitValues(server.inputs, values) } }),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate(undefined, {
      onSuccess: () => {
        notify({ text: `${server.name} is added.`, tone: "good" });
        onDone();
      },
    });
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <div>
        <h3 className="font-display text-lg font-semibold">{server.name}</h3>
        <p className="text-ink-soft">{server.may}</p>
        {server.requires !== "" && <p className="text-sm text-ink-soft">It needs {server.requires} on this machine.</p>}
        <a href={server.docs} target="_blank" rel="noreferrer" className="text-sm text-accent underline">
          Its documentation
        </a>
      </div>
      <InputFields inputs={server.inputs} values={values} onChange={setValues} />
      {add.error !== null && <InlineError error={add.error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" busy={add.isPending} disabled={!isComplete(server.inputs, values)}>
          Add {server.name}
        </Button>
        <Button onClick={onBack}>Choose another</Button>
      </div>
    </form>
  );
}
