import { Gauge } from "lucide-react";
import { lazy, type ReactElement, Suspense, useRef, useState } from "react";
import { useRuntimeStatus } from "../api/index.ts";
import { Button } from "../ui/index.ts";
import { effortLabel } from "./effort-label.ts";
import { useEfforts } from "./use-efforts.ts";

const EffortMenu = lazy(async () => ({ default: (await import("./chip-menus.ts")).EffortMenu }));

/** How much the model reasons over the next messages, where it has a choice. */
export function EffortChip({
  model,
  value,
  onChange,
}: {
  /** Empty for the default model. */
  readonly model: string;
  /** Empty: as the settings have it. */
  readonly value: string;
  readonly onChange: (effort: string) => void;
}): ReactElement | null {
  const preset = useRuntimeStatus()?.model.reasoning_effort ?? "";
  const efforts = useEfforts(model);
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (efforts.length < 2) return null;
  const current = [value, preset].find((effort) => efforts.some((one) => one === effort));
  const name = current === undefined ? "Effort" : effortLabel(current);
  return (
    <>
      <Button
        ref={button}
        kind="quiet"
        small
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={`Reasoning effort: ${current === undefined ? "the model's own" : name}`}
        title="How much the model thinks before it answers"
        onClick={() => setOpen(!isOpen)}
      >
        <Gauge aria-hidden className="size-4 shrink-0" /> <span className="max-list:sr-only">{name}</span>
      </Button>
      {isOpen && (
        <Suspense>
          <EffortMenu
            {...{ anchor: button, efforts, preset, value }}
            onChoose={(effort) => {
              onChange(effort);
              setOpen(false);
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
