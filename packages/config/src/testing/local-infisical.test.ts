import { expect, test } from "vitest";
import { localInfisical } from "./index.ts";

test("the double gives nothing away without its own token, and has folders", async () => {
  await using infisical = await localInfisical({
    clientId: "id",
    clientSecret: "secret",
    projectId: "p",
    secrets: [
      { name: "A", value: "1" },
      { name: "B", value: "2", path: "/apps" },
      { name: "C", value: "3", path: "/appsx" },
    ],
  });
  const list = async (query: string, token: string) => {
    const url = `${infisical.host}/api/v3/secrets/raw?workspaceId=p&environment=prod&${query}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const body = (await response.json()) as { secrets?: { secretKey: string }[] };
    return [response.status, body.secrets?.map(({ secretKey }) => secretKey)];
  };
  const login = async (clientSecret: string) => {
    const response = await fetch(`${infisical.host}/api/v1/auth/universal-auth/login`, {
      method: "POST",
      body: JSON.stringify({ clientId: "id", clientSecret }),
    });
    return { status: response.status, ...((await response.json()) as { accessToken?: string }) };
  };
  expect(await login("wrong")).toMatchObject({ status: 401 });
  const { accessToken = "" } = await login("secret");
  expect(await list("secretPath=/", "guessed")).toEqual([401, undefined]);
  expect(await list("secretPath=/", accessToken)).toEqual([200, ["A"]]);
  expect(await list("secretPath=/apps&recursive=true", accessToken)).toEqual([200, ["B"]]);
  expect(await list("secretPath=/&recursive=true", accessToken)).toEqual([200, ["A", "B", "C"]]);
});
