import type { ReactElement, ReactNode } from "react";
import { classNames, dollars, tokens } from "../ui/index.ts";

/** A model as its server lists it. */
export interface ListedModel {
  readonly name: string;
  readonly context_window: number | null;
  readonly price: { readonly input: number | null; readonly output: number | null } | null;
}

/** Rows at a time: a gateway can list hundreds, and search is quicker than scrolling. */
const SHOWN = 60;

/** The models whose name has every word of a search. */
export function matching<TModel extends { readonly name: string }>(
  models: readonly TModel[],
  search: string,
): readonly TModel[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return models.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}

/** Models to choose from, each with its context window and its price where they are known. */
export function ModelList<TModel extends ListedModel>({
  label,
  models,
  keyOf,
  chosen,
  onChoose,
  actions,
}: {
  readonly label: string;
  readonly models: readonly TModel[];
  readonly keyOf: (model: TModel) => string;
  readonly chosen: string;
  readonly onChoose: (model: TModel) => void;
  /** What else can be done with a model, beside its row. */
  readonly actions?: (model: TModel) => ReactNode;
}): ReactElement {
  return (
    <>
      <ul aria-label={label} className="flex flex-col">
        {models.slice(0, SHOWN).map((model) => {
          const isChosen = keyOf(model) === chosen;
          return (
            <li
              key={keyOf(model)}
              className={classNames("flex items-center rounded-md", isChosen ? "bg-selected" : "hover:bg-hover")}
            >
              <button
                type="button"
                aria-pressed={isChosen}
                onClick={() => onChoose(model)}
                className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 px-2.5 py-1.5 text-left"
              >
                <span className="min-w-0 flex-1 basis-40 font-medium wrap-anywhere">{model.name}</span>
                <span className="text-sm text-ink-soft tabular-nums">{figuresOf(model)}</span>
              </button>
              {actions?.(model)}
            </li>
          );
        })}
      </ul>
      {models.length > SHOWN && (
        <p className="px-2.5 py-1.5 text-sm text-ink-soft">{models.length - SHOWN} more. Type a part of the name.</p>
      )}
    </>
  );
}

/** `128K · $2.50 in, $10.00 out`, per million tokens; what is not known is left out. */
function figuresOf({ context_window: window, price }: ListedModel): string {
  const costs =
    price === null || price.input === null || price.output === null
      ? undefined
      : price.input === 0 && price.output === 0
        ? "free"
        : `${dollars(price.input)} in, ${dollars(price.output)} out`;
  return [window === null ? undefined : `${tokens(window)} context`, costs].filter(Boolean).join(" · ");
}
