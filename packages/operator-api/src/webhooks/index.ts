import { defineResource } from "../resource/index.ts";

/** Push notifications of A2A tasks, which A2A clients configure: a flag and topics, no routes. */
export const webhooks = defineResource({
  name: "webhooks",
  feature: "webhooks",
  topics: [
    { topic: "webhook.failed", when: "A webhook was given up", data: "`task_id`, `config_id`, `host`" },
    {
      topic: "webhook.recovered",
      when: "A webhook arrived at a host where the one before was given up",
      data: "`host`",
    },
  ],
});
