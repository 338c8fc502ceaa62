import { expect, it } from "vitest";
import { type SecretsService, secretsRoutes, syncSecrets } from "./routes.ts";

const status: ReturnType<SecretsService["status"]> = {
  ...{ enabled: true, provider: "infisical", host: "http://h", project_id: "p", environment: "prod", path: "/" },
  ...{ ok: false, error: "the manager answered 503", error_kind: "bad_response", fetched_at: null },
  ...{ applied: 0, shadowed: [], refresh_seconds: 300, vars: [] },
};

function sync(over: Partial<ReturnType<SecretsService["status"]>>, required: boolean) {
  const routes = secretsRoutes({
    status: () => ({ ...status, ...over }),
    required: () => required,
    sync: async () => ({ ...status, ...over }),
    test: () => Promise.reject(new Error("not asked")),
  });
  const route = routes.find(({ definition }) => definition === syncSecrets)!;
  const call = { params: {}, query: undefined, body: undefined, signal: AbortSignal.any([]), headers: new Headers() };
  const refuseDecision = async () => undefined;
  return route.handle({ ...call, caller: "operator", refuseDecision });
}

it("syncs what is enabled: a failure is an answer, or 502 where the manager is required", async () => {
  await expect(sync({}, false)).resolves.toMatchObject({ ok: false });
  await expect(sync({ ok: true }, true)).resolves.toMatchObject({ ok: true });
  await expect(sync({}, true)).rejects.toMatchObject({ status: 502, detail: "the manager answered 503" });
  await expect(sync({ enabled: false }, false)).rejects.toMatchObject({ status: 400 });
});
