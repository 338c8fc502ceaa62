export { followSecrets, knownSecrets } from "./follow-secrets.ts";
export { openSecrets, type SecretsListener, type ServiceSecrets, serviceSecrets } from "./open-secrets.ts";
