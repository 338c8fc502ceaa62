import type { Violation } from "../architecture/violation.ts";
import type { Markdown } from "./markdown.ts";

/** What the guides may name. */
export interface GuideFacts {
  /** The commands of `agent-service`, each with the names of its options. */
  readonly commands: ReadonlyMap<string, ReadonlySet<string>>;
  /** The keys of the settings, as `section.key`. */
  readonly settings: ReadonlySet<string>;
}

/**
 * Rule 10, guides: every `$ agent-service <command>` in a block names a command that exists, with options that it takes, and every
 * key of a block of YAML is a setting. Sections whose entries a person names (`providers`) are not looked into.
 */
export function guideCheck(documents: readonly Markdown[], facts: GuideFacts): readonly Violation[] {
  return documents.flatMap((document) =>
    document.blocks.flatMap(({ language, text, line }) =>
      (language === "yaml" ? settingProblems(text, facts) : commandProblems(text, facts)).map((message) => ({
        ...{ file: document.path, line, message },
      })),
    ),
  );
}

function commandProblems(text: string, { commands }: GuideFacts): readonly string[] {
  return [...text.matchAll(/^\$ agent-service ([a-z]+)(.*)$/gm)].flatMap(([, name = "", rest = ""]) => {
    const options = commands.get(name);
    if (options === undefined) return [`runs "agent-service ${name}", which is no command`];
    const named = [...withoutQuoted(rest).matchAll(/ --([a-z-]+)/g)].map(([, option = ""]) => option);
    return named
      .filter((option) => !options.has(option))
      .map((option) => `runs "agent-service ${name} --${option}", which it does not take`);
  });
}

function withoutQuoted(text: string): string {
  return text.replaceAll(/'[^']*'/g, "");
}

function settingProblems(text: string, { settings }: GuideFacts): readonly string[] {
  let section = "";
  return text.split("\n").flatMap((line) => {
    const [, indent = "", key = ""] = /^( *)([a-z_]+):/.exec(line) ?? [];
    if (key === "") return [];
    if (indent === "") section = key;
    const isKnown =
      indent === ""
        ? [...settings].some((setting) => setting.startsWith(`${key}.`))
        : indent.length > 2 || settings.has(`${section}.${key}`);
    return isKnown ? [] : [`sets ${indent === "" ? key : `${section}.${key}`}, which is no setting`];
  });
}
