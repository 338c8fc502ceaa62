import { describe, expect, it } from "vitest";
import { isSecretName } from "./index.ts";

describe("isSecretName", () => {
  it.each([
    "authorization",
    "Authorization",
    "Proxy-Authorization",
    "x-api-key",
    "apiKey",
    "api_key",
    "MODEL_API_KEY",
    "A2A_AUTH_TOKEN",
    "token",
    "accessToken",
    "refresh_tokens",
    "federation_token",
    "PEER_BOB_TOKEN",
    "password",
    "dbPassword",
    "client_secret",
    "secret_key",
    "secrets",
    "credentials",
    "Cookie",
    "set-cookie",
    "private_key",
    "X-A2A-Notification-Token",
  ])("takes %s for a secret", (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each([
    "input_tokens",
    "outputTokens",
    "max_tokens",
    "maxTokens",
    "total_tokens",
    "token_count",
    "tokenizer",
    "key",
    "idempotencyKey",
    "author",
    "auth",
    "keyboard",
    "monkey",
    "compass",
    "secretary",
    "message",
  ])("leaves %s readable", (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});
