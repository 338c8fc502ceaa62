import { ChevronDown } from "lucide-react";
import { lazy, type ReactElement, Suspense, useRef, useState } from "react";
import { useRuntimeStatus } from "../api/index.ts";
import { Button } from "../ui/index.ts";

const ModelMenu = lazy(async () => ({ default: (await import("./chip-menus.ts")).ModelMenu }));

/** Shows a model; pressed, offers all models of all connections. */
export function ModelChip({
  value,
  unchosen,
  title = "Model of the next messages",
  onChange,
}: {
  /** Empty while none is chosen. */
  readonly value: string;
  /** The name of what applies while none is chosen. Default: the default model, which is then never given as chosen. */
  readonly unchosen?: string;
  /** Of the list that it opens. */
  readonly title?: string;
  readonly onChange: (model: string) => void;
}): ReactElement {
  const model = useRuntimeStatus()?.model;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const byDefault = model?.provider === "scripted" ? "Demo" : (model?.name ?? "Model");
  const name = value === "" ? (unchosen ?? byDefault) : value;
  return (
    <>
      <Button
        ref={button}
        kind="quiet"
        small
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={`Model: ${name}`}
        title={name}
        className="min-w-0 shrink!"
        onClick={() => setOpen(!isOpen)}
      >
        <span className="max-w-44 min-w-0 truncate max-list:max-w-20">{name.slice(name.lastIndexOf("/") + 1)}</span>
        <ChevronDown aria-hidden className="size-3.5 shrink-0" />
      </Button>
      {isOpen && (
        <Suspense>
          <ModelMenu
            anchor={button}
            title={title}
            value={value}
            hasDefault={unchosen === undefined}
            onChoose={(chosen) => {
              onChange(chosen);
              setOpen(false);
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
