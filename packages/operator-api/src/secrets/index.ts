export { readSecretsStatus, type SecretsService, secretsRoutes, syncSecrets, testSecrets } from "./routes.ts";
