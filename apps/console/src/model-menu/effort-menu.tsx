import { Check } from "lucide-react";
import type { ReactElement, RefObject } from "react";
import { classNames } from "../ui/index.ts";
import { ChipPopover } from "./chip-popover.tsx";
import { effortLabel } from "./effort-label.ts";

const WORDS: Readonly<Record<string, string>> = {
  none: "Answers at once",
  minimal: "Quick and cheap",
  low: "Quick and cheap",
  medium: "For most questions",
  high: "Slower, for hard problems",
  xhigh: "Slower still",
  max: "As long as it takes",
};

/** The efforts a model takes, above the chip. */
export function EffortMenu({
  anchor,
  efforts,
  preset,
  value,
  onChoose,
  onClose,
}: {
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly efforts: readonly string[];
  /** The effort of the settings; empty: none is set. */
  readonly preset: string;
  readonly value: string;
  readonly onChoose: (effort: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const own = efforts.includes(preset)
    ? `${effortLabel(preset)}, from the settings`
    : "As much as the model thinks fit";
  const options = [
    { effort: "", label: "Default", words: own },
    ...efforts.map((effort) => ({ effort, label: effortLabel(effort), words: WORDS[effort] ?? "" })),
  ];
  return (
    <ChipPopover anchor={anchor} title="Reasoning effort of the next messages" className="w-72" onClose={onClose}>
      <h3 className="px-2.5 text-xs font-medium text-ink-soft">How much it thinks before it answers</h3>
      <ul className="min-h-0 overflow-y-auto">
        {options.map(({ effort, label, words }) => (
          <li key={effort}>
            <button
              type="button"
              aria-pressed={effort === value}
              onClick={() => onChoose(effort)}
              className={classNames(
                "flex min-h-9 w-full items-center gap-3 rounded-md px-2.5 py-1.5 text-left",
                effort === value ? "bg-selected" : "hover:bg-hover",
              )}
            >
              <span className="flex-1">
                <span className="font-medium">{label}</span>
                <span className="block text-sm text-ink-soft">{words}</span>
              </span>
              {effort === value && <Check aria-hidden className="size-4 text-accent" />}
            </button>
          </li>
        ))}
      </ul>
    </ChipPopover>
  );
}
