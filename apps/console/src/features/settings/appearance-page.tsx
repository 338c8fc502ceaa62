import type { ReactElement } from "react";
import { THEME_MODES, type ThemeMode, useTabsShown, useThemeMode } from "../../appearance/index.ts";
import { InlineError, Page, Switch } from "../../ui/index.ts";
import { BackToSettings } from "./back-to-settings.tsx";

const OPTIONS: Readonly<Record<ThemeMode, readonly [label: string, description: string]>> = {
  system: ["As the system", "Light by day and dark by night, if your machine does so."],
  light: ["Light", "Always light."],
  dark: ["Dark", "Always dark."],
};

/** The choice of light, dark or the system's mode. */
export function AppearancePage(): ReactElement {
  const { mode, choose, error } = useThemeMode();
  const { shown, show } = useTabsShown();
  return (
    <Page title="Appearance" lead={<BackToSettings />}>
      <fieldset className="flex max-w-4xl flex-col gap-1 px-4 pb-4">
        <legend className="pt-5 pb-3 text-ink-soft">
          It counts here at once, and in every browser that opens this agent's console.
        </legend>
        {THEME_MODES.map((one) => (
          <label
            key={one}
            className="flex min-h-11 items-center gap-3 rounded-md px-3 py-2 hover:bg-hover has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name="theme"
              className="size-4 accent-accent"
              checked={mode === one}
              onChange={() => choose(one)}
            />
            <span>
              <span className="font-medium">{OPTIONS[one][0]}</span>
              <span className="block text-sm text-ink-soft">{OPTIONS[one][1]}</span>
            </span>
          </label>
        ))}
        {error !== null && <InlineError error={error} />}
      </fieldset>
      <div className="max-w-4xl px-4 pb-6">
        <div className="flex min-h-11 items-center gap-3 rounded-md px-3 py-2 hover:bg-hover">
          <span className="flex-1">
            <label htmlFor="chat-tabs" className="font-medium">
              Tabs for open chats
            </label>
            <span className="block text-sm text-ink-soft">Above the conversation, in this browser.</span>
          </span>
          <Switch id="chat-tabs" checked={shown} onChange={(event) => show(event.target.checked)} />
        </div>
      </div>
    </Page>
  );
}
