import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Star } from "lucide-react";
import { type ReactElement, type RefObject, useState } from "react";
import { requestKey, useApi, useRuntimeStatus } from "../api/index.ts";
import { ModelList, matching } from "../connections/index.ts";
import { Button, InlineError, SkeletonRows, TextField } from "../ui/index.ts";
import { ChipPopover } from "./chip-popover.tsx";
import { type KnownModel, modelSections } from "./model-sections.ts";
import { recentModels } from "./recent-models.ts";
import { useKnownModels } from "./use-known-models.ts";

interface Choice {
  /** Empty while none is chosen. */
  readonly value: string;
  /** The default model applies while none is chosen, and choosing it gives an empty value. */
  readonly hasDefault: boolean;
  readonly onChoose: (model: string) => void;
}

/** All models of all connections above the chip: the default, favourites, recent ones, then each connection's. */
export function ModelMenu({
  anchor,
  title,
  onClose,
  ...choice
}: Choice & {
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly title: string;
  readonly onClose: () => void;
}): ReactElement {
  return (
    <ChipPopover anchor={anchor} title={title} className="w-[26rem]" onClose={onClose}>
      <Models {...choice} />
    </ChipPopover>
  );
}

function Models({ value, hasDefault, onChoose }: Choice): ReactElement {
  const [search, setSearch] = useState("");
  const { models, lead, problems, isPending } = useKnownModels();
  const favourites = useRuntimeStatus()?.model.favorites ?? [];
  const star = useStar(favourites);
  const [recent] = useState(() => recentModels(window).read());
  const found = matching(models, search);
  const sections = modelSections(found, { lead, favourites, recent, isSearch: search.trim() !== "" });
  return (
    <>
      <TextField
        bare
        label="Search models"
        placeholder="Search models"
        autoComplete="off"
        spellCheck={false}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {sections.map(({ title, models: listed }) => (
          <section key={title} aria-label={title} className="pb-2">
            <h3 className="px-2.5 py-1 text-xs font-medium text-ink-soft">{title}</h3>
            <ModelList
              label={title}
              models={listed}
              keyOf={({ key }) => key}
              chosen={value === "" && hasDefault ? (lead ?? "") : value}
              onChoose={({ key }) => {
                if (key !== lead) recentModels(window).add(key);
                onChoose(key === lead && hasDefault ? "" : key);
              }}
              actions={(model) => (
                <StarButton
                  model={model}
                  isOn={favourites.includes(model.key)}
                  onPress={(isOn) => star.mutate({ key: model.key, isOn })}
                />
              )}
            />
          </section>
        ))}
        {isPending && <SkeletonRows rows={2} />}
        {!isPending && found.length === 0 && <p className="px-2.5 text-sm text-ink-soft">No model has this name.</p>}
        {problems.map((problem) => (
          <p key={problem} className="px-2.5 py-1 text-sm text-bad">
            {problem}
          </p>
        ))}
        {star.error !== null && <InlineError error={star.error} />}
      </div>
      <Link to="/settings/connections" className="border-t border-line px-2.5 pt-2 text-sm text-accent">
        Connect another model
      </Link>
    </>
  );
}

function StarButton({
  model,
  isOn,
  onPress,
}: {
  readonly model: KnownModel;
  readonly isOn: boolean;
  readonly onPress: (isOn: boolean) => void;
}): ReactElement {
  return (
    <Button
      kind="quiet"
      icon
      small
      aria-pressed={isOn}
      aria-label={`Favourite ${model.name}`}
      onClick={() => onPress(!isOn)}
    >
      <Star aria-hidden className={isOn ? "size-4 fill-current text-accent" : "size-4"} />
    </Button>
  );
}

/** Keeps or drops a favourite, on top of what is saved now. */
function useStar(favourites: readonly string[]) {
  const { operator } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ key, isOn }: { readonly key: string; readonly isOn: boolean }) => {
      const others = favourites.filter((one) => one !== key);
      const updates = { "model.favorites": isOn ? [...others, key] : others };
      await operator.post("/api/settings", { body: { updates }, idempotencyKey: requestKey() });
    },
    onSettled: () => Promise.all(["runtime", "settings"].map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  });
}
