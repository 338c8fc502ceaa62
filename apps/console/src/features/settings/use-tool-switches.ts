import { useState } from "react";
import { type Tool, withName } from "./tool-groups.ts";
import { editList, fieldOf, listOf, useSaveSettings, useSettings } from "./use-settings.ts";

const DISABLED = "tools.disabled";
const ASKED = "enforcement.require_approval";

/** The state of a tool, and what can be changed of it. */
export interface ToolState {
  readonly on: boolean;
  readonly asks: boolean;
  readonly canSwitch: boolean;
  readonly canAsk: boolean;
  /** It is off by settings of its own, not by one that names tools. */
  readonly offByItself: boolean;
}

/** The two settings that name tools: those that are off, and those that ask first. Changes show at once. */
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
