import { useRouter } from "@tanstack/react-router";
import { useMemo, useSyncExternalStore } from "react";
import { useApi } from "../../api/index.ts";
import { type Command, keysLabel, matching, useCommandList } from "../../commands/index.ts";
import type { Screen } from "../screen.ts";
import { isMac } from "./is-mac.ts";
import { readRecent, withRecent } from "./recent.ts";
import { arranged, type Entry, type Section } from "./sections.ts";
import { useFindings } from "./use-findings.ts";
import { usePageCommands } from "./use-page-commands.ts";

/** Most actions that are listed. */
const ACTIONS = 40;
/** Of the screen shown come first; navigation, and commands of every screen, follow. */
const LATER: readonly string[] = ["Screens", "Console", "Help"];

/** Everything the palette offers for a search: chats, runs, settings, actions; what was used last first. */
export function useEntries(
  screens: readonly Screen[],
  search: string,
): { readonly sections: readonly Section[]; readonly failed: readonly string[]; readonly busy: boolean } {
  const { recentCommands } = useApi();
  const router = useRouter();
  const stored = useSyncExternalStore(recentCommands.subscribe, recentCommands.read);
  const registered = useCommandList();
  const onScreen = usePageCommands();
  const { found, busy } = useFindings(screens, search);
  const actions = useMemo((): readonly Entry[] => {
    const rank = ({ group }: Command): number => LATER.indexOf(group);
    const texts = new Set(onScreen.map(({ id }) => id));
    const all = [...registered, ...onScreen].toSorted((a, b) => rank(a) - rank(b));
    return matching(all, search)
      .slice(0, ACTIONS)
      .map(({ id, label, group, keys, run }) => ({
        ...{ id, label, run, detail: keys === undefined ? group : keysLabel(keys, isMac) },
        // A control's name may be made of what people wrote.
        keepsId: !texts.has(id),
      }));
  }, [registered, onScreen, search]);
  const kinds = found.map(({ label, findings }) => ({
    label,
    entries: findings.map(({ id, label: name, detail = "", to }) => ({
      ...{ id, label: name, detail, keepsId: true },
      run: () => router.history.push(router.basepath.replace(/\/$/, "") + to),
    })),
  }));
  const kept = ({ id, run, keepsId, ...entry }: Entry): Entry => ({
    ...{ ...entry, id, keepsId },
    run: () => {
      if (keepsId) recentCommands.write(withRecent(recentCommands.read(), id));
      run();
    },
  });
  const sections = [...kinds, { label: "Actions", entries: actions }];
  return {
    sections: arranged(
      sections.map(({ label, entries }) => ({ label, entries: entries.map(kept) })),
      readRecent(stored),
      search.trim(),
    ),
    failed: found.filter(({ failed }) => failed).map(({ label }) => label),
    busy,
  };
}
