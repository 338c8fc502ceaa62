import type { AnyTool } from "@agent-service/plugin-sdk";
import { askHuman } from "./ask-human.ts";
import { calculator } from "./calculator.ts";
import { currentTime } from "./current-time.ts";
import { requestUserInput } from "./request-user-input.ts";
import { showComponent } from "./show-component.ts";

/** The core tools every agent has, in the order the model is shown them (B80). */
export function generalTools(): readonly AnyTool[] {
  return [currentTime, calculator, askHuman, requestUserInput, showComponent];
}
