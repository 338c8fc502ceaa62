import { defineFeature } from "../feature/index.ts";
import { waitTimers, waitTool } from "./wait-tool.ts";

/** The tool `wait`, and the turns that its timers start. */
export const waiting = defineFeature({
  name: "waiting",
  topics: ["timer.set", "timer.fired", "timer.canceled"],
  open: ({ service, timers }) => ({ service, timers }),
  tools: ({ timers }) => [waitTool(timers)],
  timers: ({ service }) => waitTimers(service),
});
