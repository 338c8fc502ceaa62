import type { Rolldown } from "vite";

type CodeSplitting = Exclude<Rolldown.OutputOptions["codeSplitting"], boolean | undefined>;

const packages = (...names: readonly string[]): string => `/node_modules/(${names.join("|")})/`;
const folders = (...names: readonly string[]): string => `/apps/console/src/(${names.join("|")})/`;
const anyOf = (...patterns: readonly string[]): RegExp => new RegExp(patterns.join("|"));

/**
 * Puts modules that several screens share together in few files. By itself the bundler makes a file for each set of screens
 * that need the same modules, dozens of them a single icon, and each file is a request. A group holds what is loaded
 * together anyway, or what is so small that it costs less than its request.
 *
 * With `minShareCount`, what one screen alone needs stays in that screen's file. What is loaded on first use (markdown,
 * diagrams, charts) is in no group. A module belongs to the group of the highest priority that matches it, and brings what it
 * imports: a group has a lower priority than those that it imports from.
 */
export const codeSplitting: CodeSplitting = {
  groups: [
    { name: "react", test: anyOf(packages("react", "react-dom", "scheduler")), priority: 6 },
    {
      name: "api",
      test: anyOf(packages("@tanstack/(query-core|react-query)"), folders("api")),
      minShareCount: 2,
      priority: 5,
    },
    // Without the router: the page of the API reference needs this and has none.
    {
      name: "ui",
      test: anyOf(packages("lucide-react"), folders("ui", "identity")),
      minShareCount: 2,
      priority: 4,
    },
    {
      name: "frame",
      test: anyOf(
        packages("@tanstack/(router-core|react-router|history|store|react-store)", "use-sync-external-store"),
        folders("list-column", "parts", "menu", "notices", "commands", "board-link"),
      ),
      minShareCount: 2,
      priority: 3,
    },
    {
      name: "conversation",
      test: anyOf(folders("message-files", "model-menu", "prompts", "sharing")),
      minShareCount: 2,
      priority: 2,
    },
    { name: "memories", test: anyOf(folders("memory", "features/knowledge")), minShareCount: 2, priority: 1 },
    // What dialogs and menus both need.
    { name: "popups", test: anyOf(packages("@base-ui/(react|utils)")), minShareCount: 3 },
  ],
};
