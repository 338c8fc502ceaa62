import { defineResource } from "../resource/index.ts";

const timer = "`id`, `kind`, `session_id`, `due_at`";

/** Durable timers: topics, no routes. */
export const timers = defineResource({
  name: "timers",
  topics: [
    { topic: "timer.set", when: "A durable timer was set, such as that of `wait`", data: timer },
    { topic: "timer.canceled", when: "A timer was taken back", data: timer },
    { topic: "timer.fired", when: "A timer's time came", data: timer },
  ],
});
