import { afterAll, expect, it } from "vitest";
import { temporaryFolders } from "../testing/index.ts";
import { findService } from "./find-service.ts";

const folders = temporaryFolders("auth: { token: local-token }\n");
afterAll(() => folders.remove());
const env = { SVC_HOME: folders.home, SVC_CONFIG_DIR: folders.config };
const found = (flag: string | undefined, more: object = {}) =>
  findService(flag, { env: { ...env, ...more }, checkoutRoot: undefined });

it.each([
  [undefined, {}, "http://127.0.0.1:7870", "default"],
  [undefined, { SVC_HOST: "0.0.0.0" }, "http://127.0.0.1:7870", "SVC_HOST"],
  [undefined, { SVC_HOST: "::1" }, "http://[::1]:7870", "SVC_HOST"],
  [undefined, { SVC_HOST: "10.0.0.5" }, "http://10.0.0.5:7870", "SVC_HOST"],
  [undefined, { SVC_URL: "http://localhost:1/" }, "http://localhost:1", "SVC_URL"],
  ["http://127.0.0.2:2/agents/ada/", { SVC_URL: "http://localhost:1" }, "http://127.0.0.2:2/agents/ada", "--url"],
])("%j with %j is %s of this machine, with the token of its configuration", async (flag, more, url, urlFrom) => {
  expect(await found(flag, more)).toMatchObject({ url, urlFrom, token: "local-token" });
});

it("sends the local token to no other machine, and reads no API key of the local agent there", async () => {
  const key = { PROTOAGENT_API_KEY: "local-key" };
  expect(await found("https://agent.example", key)).toEqual({ url: "https://agent.example", urlFrom: "--url" });
  expect(await found("https://agent.example", { A2A_AUTH_TOKEN: "theirs" })).toMatchObject({ token: "theirs" });
});

it("shows the API key of the local agent where its configuration holds no token", async () => {
  const open = temporaryFolders("{}\n");
  const own = { SVC_HOME: open.home, SVC_CONFIG_DIR: open.config };
  expect(await found(undefined, { ...own, PROTOAGENT_API_KEY: "local-key" })).toMatchObject({
    apiKey: "local-key",
    credentialFrom: "the API key of protoagent",
  });
  expect(await found(undefined, own)).toEqual({ url: "http://127.0.0.1:7870", urlFrom: "default" });
  open.remove();
});

it("continues with the variable where the configuration cannot be read, and warns", async () => {
  const broken = temporaryFolders("auth: [\n");
  const { token, problem } = await found(undefined, { SVC_CONFIG_DIR: broken.config, A2A_AUTH_TOKEN: "t" });
  expect([token, problem]).toEqual(["t", expect.stringContaining("agent-config.yaml")]);
  broken.remove();
});

it.each(["agent.example", "ftp://agent.example", "https://a:b@agent.example", "https://agent.example/?x=1"])(
  "refuses %s as an address, and repeats no password",
  async (address) => {
    const refused = await found(address).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "usage", message: expect.not.stringContaining(":b@") });
  },
);
