import { useState } from "react";
import { type Tool, withName } from "./tool-groups.ts";
import { editList, fieldOf, listOf, useSaveSettings, useSettings } from "./use-settings.ts";

const DISABLED = "tools.disabled";
const ASKED = "enforcement.require_approval";

/** How a tool stands, and what of it can be changed here. */
export interface ToolState {
  readonly on: boolean;
  readonly asks: boolean;
  readonly canSwitch: boolean;
  readonly canAsk: boolean;
  /** It is off, and no setting that names tools says so: settings of its own do. */
  readonly offByItself: boolean;
}

/** The two settings that name tools: which are off, and which ask first. What was pressed shows at once. */
export function useToolSwitches(disabled: readonly string[]) {
  const { data: schema } = useSettings();
  const save = useSaveSettings();
  const [pressed, setPressed] = useState({ key: "", name: "" });
  const mayChange = (key: string): boolean => {
    const field = schema && fieldOf(schema, key);
    return field !== undefined && !field.read_only && !save.isPending;
  };
  const asked = listOf(schema && fieldOf(schema, ASKED)?.value);
  const change = (key: string, name: string, listed: boolean): void => {
    setPressed({ key, name });
    save.mutate(editList(key, (names) => withName(names, name, listed)));
  };
  return {
    error: save.error,
    of({ name, enabled, requires_approval }: Tool): ToolState {
      const isListed = disabled.includes(name);
      const flips = (key: string): boolean => save.isPending && pressed.key === key && pressed.name === name;
      return {
        on: enabled !== flips(DISABLED),
        asks: requires_approval !== flips(ASKED),
        canSwitch: mayChange(DISABLED) && (enabled || isListed),
        // A pattern such as web_* may ask for it, which one name does not undo.
        canAsk: mayChange(ASKED) && enabled && asked.includes(name) === requires_approval,
        offByItself: !enabled && !isListed,
      };
    },
    turn: (name: string, on: boolean) => change(DISABLED, name, !on),
    ask: (name: string, first: boolean) => change(ASKED, name, first),
  };
}
