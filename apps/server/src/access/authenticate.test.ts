import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAuthenticator } from "./authenticate.ts";
import { apiKeyVariable, type Credentials, checkCredentials } from "./credentials.ts";

const secrets: Credentials = { bearer: "operator-token", apiKey: "operator-key", federation: "peer-token" };
const classify = (credentials: Credentials, headers: Record<string, string>) =>
  createAuthenticator(() => credentials).classify(headers);

describe("who a request comes from (B23 to B29; S1)", () => {
  it.each([
    [{ authorization: "Bearer operator-token" }, "operator"],
    [{ authorization: "bearer operator-token" }, "operator"],
    [{ authorization: "BEARER   operator-token " }, "operator"],
    [{ "x-api-key": "operator-key" }, "operator"],
    [{ authorization: "Bearer peer-token" }, "federation"],
    [{ authorization: "Bearer peer-token", "x-api-key": "operator-key" }, "operator"],
    [{ authorization: "Bearer wrong", "x-api-key": "operator-key" }, "operator"],
    [{ authorization: "Bearer operator-token", "x-api-key": "wrong" }, "operator"],
    [{}, "anonymous"],
    [{ authorization: "Bearer wrong" }, "anonymous"],
    [{ authorization: "Bearer " }, "anonymous"],
    [{ authorization: "Bearer" }, "anonymous"],
    [{ authorization: "Basic operator-token" }, "anonymous"],
    [{ authorization: "operator-token" }, "anonymous"],
    [{ authorization: "Bearer operator-token, Bearer peer-token" }, "anonymous"],
    [{ authorization: "Bearer operator-key" }, "anonymous"],
    [{ "x-api-key": "operator-token" }, "anonymous"],
    [{ "x-api-key": "peer-token" }, "anonymous"],
    [{ "x-api-key": "" }, "anonymous"],
  ])("%j is %s", (headers, expected) => {
    expect(classify(secrets, headers as Record<string, string>)).toBe(expected);
  });

  it("takes everyone for the operator when neither bearer nor API key is set, a blank one being none", () => {
    expect(classify({}, {})).toBe("operator");
    expect(classify({ bearer: "", apiKey: "  " }, { authorization: "Bearer anything" })).toBe("operator");
    expect(createAuthenticator(() => ({ bearer: " " })).open()).toBe(true);
    expect(createAuthenticator(() => ({ apiKey: "k" })).open()).toBe(false);
  });

  it("lets a blank secret match nothing while another gates the instance", () => {
    expect(classify({ bearer: "", apiKey: "k" }, { authorization: "Bearer " })).toBe("anonymous");
    expect(classify({ bearer: "b", federation: " " }, { authorization: "Bearer  " })).toBe("anonymous");
  });

  it("uses a changed secret from the next request on (S8) [R10-13.4-9, R10-13.4-11]", () => {
    let now: Credentials = { bearer: "old" };
    const authenticator = createAuthenticator(() => now);
    expect(authenticator.classify({ authorization: "Bearer old" })).toBe("operator");
    now = { bearer: "new" };
    expect(authenticator.classify({ authorization: "Bearer old" })).toBe("anonymous");
    expect(authenticator.classify({ authorization: "Bearer new" })).toBe("operator");
    now = {};
    expect(authenticator.open()).toBe(true);
    expect(authenticator.classify({})).toBe("operator");
  });

  it("matches a secret of any script by the bytes a client sends", () => {
    const onTheWire = Buffer.from("schlüssel-鍵", "utf8").toString("latin1");
    expect(classify({ bearer: "schlüssel-鍵" }, { authorization: `Bearer ${onTheWire}` })).toBe("operator");
  });

  it("never takes another text for the operator", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (token, key) => {
        fc.pre(token.trim() !== "operator-token" && token.trim() !== "peer-token" && key.trim() !== "operator-key");
        expect(classify(secrets, { authorization: `Bearer ${token}`, "x-api-key": key })).toBe("anonymous");
      }),
    );
  });

  it("names the headers it would accept", () => {
    const accepted = (credentials: Credentials) => createAuthenticator(() => credentials).accepted();
    expect(accepted({ bearer: "b" })).toEqual(["Authorization: Bearer <token>"]);
    expect(accepted({ apiKey: "k" })).toEqual(["X-API-Key: <key>"]);
    expect(accepted(secrets)).toEqual(["Authorization: Bearer <token>", "X-API-Key: <key>"]);
  });
});

describe("credentials at boot (S1, S8)", () => {
  it("accepts none, bearer, API key and both, with or without federation beside them", () => {
    for (const fine of [
      {},
      { bearer: "b" },
      { apiKey: "k" },
      { bearer: "b", apiKey: "k" },
      { apiKey: "k", federation: "f" },
    ]) {
      expect(checkCredentials(fine)).toBeUndefined();
    }
    expect(checkCredentials({ federation: " " })).toBeUndefined();
  });

  it.each([
    [{ federation: "f" }, /no operator credential/],
    [{ federation: "f", bearer: " " }, /no operator credential/],
    [{ federation: "same", bearer: "same" }, /equals the operator/],
    [{ bearer: "two\nlines" }, /bearer secret holds a line break/],
  ])("refuses %j in one line without the secret", (credentials, message) => {
    const error = checkCredentials(credentials);
    expect(error?.code).toBe("auth-incomplete");
    expect(error?.message).toMatch(message);
    expect(error?.message).not.toMatch(/\n|two|same"/);
  });

  it("derives the API key's variable from the agent's name", () => {
    expect(apiKeyVariable("protoagent")).toBe("PROTOAGENT_API_KEY");
    expect(apiKeyVariable("my agent-2.ü")).toBe("MY_AGENT_2___API_KEY");
  });
});
