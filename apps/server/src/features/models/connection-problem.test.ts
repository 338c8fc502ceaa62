import { ModelConfigError, ModelError } from "@agent-service/agent-core/host";
import { expect, it } from "vitest";
import { connectionProblem } from "./connection-problem.ts";

const listing = { address: "https://api.example.com/v1", hasKey: true, model: "" };
const calling = { ...listing, model: "m" };
const failed = (code: string) => new TypeError("fetch failed", { cause: Object.assign(new Error(), { code }) });
const network = (code: string) => new ModelError("network", `could not be reached (${code})`, { cause: failed(code) });

it.each([
  [network("ECONNREFUSED"), listing, "address", "Nothing answers at api.example.com."],
  [network("ENOTFOUND"), listing, "address", "There is no server named api.example.com"],
  [network("DEPTH_ZERO_SELF_SIGNED_CERT"), listing, "address", "The certificate of api.example.com"],
  [network("ERR_SSL_WRONG_VERSION_NUMBER"), listing, "address", "Begin the address with http://."],
  [network("EHOSTUNREACH"), calling, "address", "cannot be reached"],
  [new ModelError("timeout", "late"), listing, "address", "did not answer in time"],
  [new ModelError("timeout", "late"), calling, null, "a large model takes a while"],
  [new ModelError("unauthorized", "answered 401"), listing, "key", "refuses this key"],
  [new ModelError("unauthorized", "answered 401"), { ...listing, hasKey: false }, "key", "needs a key"],
  [new ModelError("rate_limited", "answered 429"), calling, "key", "its limit is used up"],
  [new ModelError("unknown_model", "answered 404"), calling, "model", "has no model m"],
  [new ModelError("bad_response", "answered 404", { status: 404 }), listing, "address", "most end with /v1"],
  [new ModelError("upstream", "answered 503", { status: 503 }), listing, null, "(status 503)"],
  [new ModelError("bad_request", "tools are not supported"), calling, "model", "Tools are not supported."],
  [new ModelConfigError("invalid_base_url", "no"), listing, "address", "begins with http:// or https://"],
  [new ModelConfigError("invalid_header", "no"), listing, "key", "Copy it again"],
  [new ModelConfigError("no_model", "no"), calling, "model", "Choose a model"],
  [new ModelConfigError("unsupported_connection", "there is none"), listing, null, "There is none."],
])("a failure names the entry to correct and what to do, never a code: %s, %j", (error, tried, field, text) => {
  const problem = connectionProblem(error, tried);
  expect(problem).toEqual({ field, text: expect.stringContaining(text) });
  expect(problem.text).not.toMatch(/E[A-Z]{5,}|ERR_/);
});

it("says no more than that it failed of what nothing is known of", () => {
  expect(connectionProblem(new TypeError("sk-secret"), listing).text).not.toContain("sk-secret");
});
