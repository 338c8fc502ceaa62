import { expect, test } from "vitest";
import { run } from "../process/run.ts";

const root = new URL("../..", import.meta.url).pathname;

test("the example of a section loads, warns and explains as in its README", async () => {
  const script = "examples/layered-config/main.ts";
  const { code, output } = await run(process.execPath, ["--conditions=@agent-service/source", script], { cwd: root });
  expect(code).toBe(0);
  expect(
    output.replaceAll(/\S*\/layered-config-\w+\//g, ""),
  ).toBe(`mail goes to mail.test:25, as host-config.yaml:2 says
agent-config.yaml:2: mail.port: expected number, got "many"; the default is used
agent-config.yaml:3: mail.hots: unknown key, ignored (did you mean host?)
## How mail is sent.
mail:
  ## The mail server.
  # host: localhost
  ## Its port. From 1 to 65535. Needs a restart.
  # port: 25
  ## Its password. Falls back to MAIL_PASSWORD. Secret.
  # password: ""
`);
});
