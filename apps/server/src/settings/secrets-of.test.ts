import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { secretsOf } from "./secrets-of.ts";

test("values under a secret's name, and passwords in addresses, are secrets; places and switches are not", () => {
  const env = {
    MY_AGENT_API_KEY: "k-1234567",
    AWS_SECRET_ACCESS_KEY: " padded-secret ",
    SOME_TOKEN: "/+base64/looking==",
    DATABASE_URL: "postgres://me:p%40ssword@db.test/x",
    GOOGLE_APPLICATION_CREDENTIALS: tmpdir(),
    AUTH_PASSWORD_URL: "https://login.test/",
    SHORT_SECRET: "on",
    TRACING_PUBLIC_KEY: "pk-4711-0815",
    MAX_TOKENS: "12345678",
    UNSET_SECRET: undefined,
    PATH: "/usr/bin:/bin",
    ODD_URL: "x://a:%ff%ff%ff@h",
  };
  expect(secretsOf(env)).toEqual([
    "k-1234567",
    "padded-secret",
    "/+base64/looking==",
    "p%40ssword",
    "p@ssword",
    "pk-4711-0815",
    "%ff%ff%ff",
  ]);
});
