import { useQueryClient } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { type ReactElement, useEffect, useMemo } from "react";
import { useApi, useRuntimeStatus, useStaleQueries } from "../api/index.ts";
import { useAppearance } from "../appearance/index.ts";
import { useBrowserNotifications } from "../notifications/index.ts";
import { loadDialogs } from "../ui/index.ts";
import { Banners } from "./banners.tsx";
import { CommandPalette } from "./palette/command-palette.tsx";
import { Rail, useWaitingCount } from "./rail.tsx";
import { type Screen, screensFor } from "./screen.ts";
import { useConsoleCommands } from "./use-console-commands.ts";
import { useEventNotices } from "./use-event-notices.ts";
import { useScreenCommands } from "./use-screen-commands.ts";

/** The page around every screen: the rail, the banners, the palette, and the notices of server events. */
export function Frame({ screens }: { readonly screens: readonly Screen[] }): ReactElement {
  const { events } = useApi();
  const status = useRuntimeStatus();
  const shown = useMemo(() => screensFor(screens, status?.features), [screens, status?.features]);
  useStaleQueries(useQueryClient());
  useEventNotices();
  useBrowserNotifications();
  useAppearance();
  useDialogs();
  useTitle(status?.identity.name, useWaitingCount());
  useEffect(() => {
    events.start();
    return () => events.stop();
  }, [events]);
  useScreenCommands(shown, status?.features);
  useConsoleCommands();
  return (
    <div className="relative flex h-full flex-col overflow-clip">
      <button
        type="button"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-md focus:bg-raised focus:p-2"
        onClick={() => document.getElementById("main")?.focus()}
      >
        Skip to the screen
      </button>
      <Banners />
      <div className="flex min-h-0 flex-1 flex-col list:flex-row">
        <Rail screens={shown} />
        <main id="main" tabIndex={-1} className="flex min-h-0 min-w-0 flex-1 outline-none">
          <Outlet />
        </main>
      </div>
      <CommandPalette screens={shown} />
    </div>
  );
}

/** After the first screen, and before a person opens the first dialog. */
const DIALOGS_AFTER_MS = 1_000;

function useDialogs(): void {
  useEffect(() => {
    const timer = setTimeout(loadDialogs, DIALOGS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}

/** The title of the tab: the agent's name, preceded by the number of waiting prompts. */
function useTitle(name: string | undefined, waiting: number): void {
  useEffect(() => {
    showBadge(waiting);
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${name ?? "Agent Service"}`;
  }, [name, waiting]);
}

/** Shows the count on the icon of the installed app, where the browser can. */
function showBadge(waiting: number): void {
  const { setAppBadge } = navigator as { readonly setAppBadge?: (count: number) => Promise<void> };
  setAppBadge?.call(navigator, waiting).catch(() => {
    // Refused: the page's title and the rail say it too.
  });
}
