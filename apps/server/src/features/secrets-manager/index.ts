import { defineServiceFeature } from "../../service-feature/index.ts";

export const secretsManager = defineServiceFeature({
  services: (_, { secrets: { manager }, settings }) => ({
    secrets: {
      status: () => manager.status(),
      required: () => settings.secrets_manager.required,
      sync: () => manager.sync(),
      test: (overrides) => manager.test(overrides),
    },
  }),
  flags: ({ secrets }) => ({ secrets_manager: secrets.manager.status().enabled }),
});
