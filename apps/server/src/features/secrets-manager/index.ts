import { defineServiceFeature } from "../../service-feature/index.ts";

/** What operators ask of the secrets manager. */
export const secretsManager = defineServiceFeature({
  services: (_, { secrets: { manager }, settings }) => ({
    secrets: {
      status: () => manager.status(),
      required: () => settings.secretsManager.required,
      sync: () => manager.sync(),
      test: (overrides) => manager.test(overrides),
    },
  }),
  flags: ({ secrets }) => ({ secrets_manager: secrets.manager.status().enabled }),
});
