/** Words that people met in the console and did not understand; what is said instead stands beside each. */
import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { SECTIONS } from "../../apps/server/src/settings/index.ts";
import { shownWords } from "./rig/shown-words.ts";

const console = new URL("../../apps/console/src/", import.meta.url).pathname;

const WORDS: readonly (readonly [never: RegExp, but: string])[] = [
  [/scripted model/i, "You are trying the demo. Connect a model"],
  [/\blet it lead\b|\bmake it lead\b|^leads?$/i, "Default; Make default"],
  [/persona that ships/i, "Start from a template"],
  [/say something while/i, "Answer Ada…; Add to what Ada is doing…"],
  [/the settings ask for approval/i, "You asked to be asked. Change"],
  [/always this exact call/i, "Do not ask again for this exact request"],
  [/\b(is|are|was) remembered\b|^remembered$/i, "Always allowed"],
  [/^(its|the) task$|^open (its|the) task$/i, "Open run"],
  [/^look$/i, "Open"],
  [/\btasks?\b/i, "Runs; Board items; Background"],
  [/took at most/i, "Median; 95th percentile"],
  [/\btime of a turn\b/i, "Duration"],
  [/^frames?$/i, "Protocol messages"],
  [/^lanes?$/i, "Queue"],
  [/^(this )?box$/i, "This machine"],
  [/^publish$/i, "Agent card"],
  [/^parts?$/i, "Features"],
  [/chat completions/i, "OpenAI-compatible"],
  [/subscription, (messages|responses)/i, "the provider's name"],
  [/was not said/i, "Not sent: the service is restarting. Your text is kept"],
  [/does not (fit|match)|string does not/i, "what to enter"],
  [/^why\??$/i, "How it got there"],
  [/answer again/i, "Retry"],
  [/told no tokens|has no price/i, "No price is set for this model. Set one"],
  [/\bECONN\w+|\bENOTFOUND\b|\berrno\b/, "what happened, and what to press"],
  [/\boops\b|!$/i, "a plain sentence"],
];

test("no text of the console has a word that people did not understand", () => {
  const found = globSync("**/*.{ts,tsx}", { cwd: console })
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .flatMap((file) =>
      shownWords(`${console}${file}`).flatMap(({ text, line }) =>
        WORDS.filter(([never]) => isForPeople(text) && never.test(text)).map(
          ([, but]) => `${file}:${line}: "${text}". Say: ${but}`,
        ),
      ),
    );
  expect(found).toEqual([]);
});

test("no title and no description of a setting has one either", () => {
  const found = SECTIONS.flatMap((section) => settingTexts(section, section.name)).flatMap(({ at, text }) =>
    WORDS.filter(([never]) => never.test(text)).map(([, but]) => `${at}: "${text}". Say: ${but}`),
  );
  expect(found).toEqual([]);
});

/** What the settings pages show of a declaration: every title, label and description in it. */
function settingTexts(node: unknown, at: string): readonly { readonly at: string; readonly text: string }[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    typeof value === "string"
      ? /^(title|label|description)$/.test(key)
        ? [{ at, text: value }]
        : []
      : settingTexts(value, `${at}.${key}`),
  );
}

/** Keys and addresses are in small letters without a space; what people read begins with a capital or has several words. */
function isForPeople(text: string): boolean {
  return /^[A-Z]/.test(text) || (/ /.test(text) && !/[{}[\]();=<>]|:\w/.test(text));
}
