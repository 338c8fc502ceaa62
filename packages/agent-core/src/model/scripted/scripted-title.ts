import { SCRIPT_COMMANDS } from "./script.ts";

const WORDS = 6;
const CALL = /^\/call[ \t]+(\S+).*$/gm;
const COMMAND = new RegExp(`^/(?:${SCRIPT_COMMANDS.join("|")})\\b`, "gm");

/** A title without language: the first words of what was asked, without the model's own commands and what they are given as JSON. */
export function scriptedTitle(asked: string): string {
  const words = asked.replaceAll(CALL, "$1").replaceAll(COMMAND, " ").split(/\s+/).filter(Boolean).slice(0, WORDS);
  const title = words.join(" ").replace(/[.,;:!?]+$/, "");
  return title === "" ? "Conversation" : title.charAt(0).toUpperCase() + title.slice(1);
}
