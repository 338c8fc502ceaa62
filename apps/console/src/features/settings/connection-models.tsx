import { useQuery } from "@tanstack/react-query";
import { Star } from "lucide-react";
import type { ReactElement } from "react";
import { useApi } from "../../api/index.ts";
import { Button, InlineError, SkeletonRows, tokens } from "../../ui/index.ts";
import type { Connection } from "./connection.ts";
import { ModelPrice } from "./model-price.tsx";
import { withName } from "./tool-groups.ts";
import { editList, fieldOf, listOf, useSaveSettings, useSettings } from "./use-settings.ts";

/** The models that a connection's server lists: one can be the default, any a favourite. */
export function ConnectionModels({ connection }: { readonly connection: Connection }): ReactElement {
  const { id } = connection;
  const { operator } = useApi();
  const list = useQuery({
    queryKey: ["providers", "models", id],
    queryFn: () => operator.post("/api/config/models", { body: { provider: id } }),
  });
  const { data: schema } = useSettings();
  const lead = schema && fieldOf(schema, "model.name");
  const favourites = listOf(schema && fieldOf(schema, "model.favorites")?.value);
  const save = useSaveSettings();
  if (list.isPending) return <SkeletonRows rows={3} />;
  if (list.error !== null) return <InlineError error={list.error} onRetry={list.refetch} />;
  const { details, error } = list.data;
  if (error !== "") return <InlineError error={error} onRetry={list.refetch} />;
  if (details.length === 0) return <p className="text-sm text-ink-soft">The server lists no models.</p>;
  return (
    <div className="flex flex-col gap-1">
      <ul aria-label={`Models of ${id}`} className="max-h-96 divide-y divide-line overflow-y-auto border-y border-line">
        {details.map(({ name, context_window: window, vision, price }) => {
          const full = `${id}:${name}`;
          const favourite = favourites.includes(full);
          return (
            <li key={name} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
              <span className="min-w-0 flex-1 font-mono text-sm">{name}</span>
              <span className="text-sm text-ink-soft">
                {tokens(window)} tokens{vision === true && ", sees images"}
              </span>
              <ModelPrice connection={connection} model={name} price={price} />
              <Button
                kind="quiet"
                icon
                small
                aria-pressed={favourite}
                aria-label={`Favourite ${name}`}
                title="Favourites are quick to switch to in the chat"
                onClick={() => save.mutate(editList("model.favorites", (names) => withName(names, full, !favourite)))}
              >
                <Star aria-hidden className={favourite ? "size-4 fill-current text-accent" : "size-4"} />
              </Button>
              {lead?.value === full ? (
                <span className="text-sm font-medium text-good">Default</span>
              ) : (
                <Button
                  small
                  disabled={lead?.read_only}
                  onClick={() => save.mutate({ updates: { "model.name": full } })}
                >
                  Make default
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {save.error !== null && <InlineError error={save.error} />}
    </div>
  );
}
