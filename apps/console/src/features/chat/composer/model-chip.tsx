import { ChevronDown } from "lucide-react";
import { lazy, type ReactElement, Suspense, useRef, useState } from "react";
import { useRuntimeStatus } from "../../../api/index.ts";
import { Button } from "../../../ui/index.ts";

const ModelMenu = lazy(async () => ({ default: (await import("./model-menu.tsx")).ModelMenu }));

/** The model of the next turns, from the first minute on; pressed, all models of all connections. */
export function ModelChip({
  value,
  onChange,
}: {
  /** Empty for the default model. */
  readonly value: string;
  readonly onChange: (model: string) => void;
}): ReactElement {
  const model = useRuntimeStatus()?.model;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const isDemo = value === "" && model?.provider === "scripted";
  const name = value === "" ? (isDemo ? "Demo" : (model?.name ?? "Model")) : value;
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
        className="min-w-0 shrink"
        onClick={() => setOpen(!isOpen)}
      >
        <span className="max-w-44 truncate max-list:max-w-20">{name.slice(name.lastIndexOf("/") + 1)}</span>
        <ChevronDown aria-hidden className="size-3.5 shrink-0" />
      </Button>
      {isOpen && (
        <Suspense>
          <ModelMenu
            anchor={button}
            value={value}
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
