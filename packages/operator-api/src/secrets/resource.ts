import { defineResource } from "../resource/index.ts";
import { readSecretsStatus, secretsRoutes, syncSecrets, testSecrets } from "./routes.ts";

/** The external secrets manager. */
export const secrets = defineResource({
  name: "secrets",
  feature: "secrets_manager",
  definitions: [readSecretsStatus, syncSecrets, testSecrets],
  routes: secretsRoutes,
});
