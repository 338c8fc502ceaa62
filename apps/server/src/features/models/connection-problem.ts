import { ModelConfigError, ModelError } from "@agent-service/agent-core/host";
import type { ConnectionProblem } from "@agent-service/operator-api";

/** What was tried when it failed. */
export interface TriedEntry {
  readonly address: string;
  /** A key was sent. */
  readonly hasKey: boolean;
  /** Blank: the list of models was asked for. */
  readonly model: string;
}

/** A failed test of a connection as its person reads it: which entry to correct, and how. Never an error code. */
export function connectionProblem(error: unknown, tried: TriedEntry): ConnectionProblem {
  if (error instanceof ModelConfigError) return configProblem(error);
  if (error instanceof ModelError) return callProblem(error, tried);
  return { field: null, text: "The test failed. Try it again." };
}

function configProblem({ code, message }: ModelConfigError): ConnectionProblem {
  switch (code) {
    case "invalid_base_url":
      return { field: "address", text: "Enter an address that begins with http:// or https://." };
    case "invalid_header":
      return { field: "key", text: "This key holds a character that no key has. Copy it again." };
    case "no_credential":
      return { field: "key", text: "Enter the access token." };
    case "no_model":
      return { field: "model", text: "Choose a model." };
    default:
      return { field: null, text: sentence(message) };
  }
}

function callProblem(error: ModelError, tried: TriedEntry): ConnectionProblem {
  const server = hostOf(tried.address);
  switch (error.code) {
    case "network":
      return { field: "address", text: unreachable(wireCode(error.cause), server) };
    case "timeout":
      return {
        field: tried.model === "" ? "address" : null,
        text: `${server} did not answer in time. Check that it runs, or try again: a large model takes a while to load.`,
      };
    case "unauthorized":
      return { field: "key", text: keyProblem(server, tried.hasKey) };
    case "rate_limited":
      return {
        field: "key",
        text: `${server} takes no more requests with this key: its credit or its limit is used up. Try again later, or enter another key.`,
      };
    case "unknown_model":
      return { field: "model", text: `${server} has no model ${tried.model}. Choose one from its list.` };
    case "bad_response":
      return { field: "address", text: noList(server, error.status) };
    case "upstream":
      return { field: null, text: `${server} has a failure of its own${statusOf(error)}. Try again in a moment.` };
    default:
      return { field: tried.model === "" ? null : "model", text: sentence(error.message) };
  }
}

function keyProblem(server: string, hasKey: boolean): string {
  return hasKey ? `${server} refuses this key. Copy it again, or make a new one.` : `${server} needs a key. Enter one.`;
}

function noList(server: string, status: number | undefined): string {
  const what = status === undefined ? "does not answer as a model server does" : "has no list of models";
  return `${server} ${what} at this address. Check its path: most end with /v1.`;
}

function unreachable(code: string, server: string): string {
  if (code === "ECONNREFUSED") return `Nothing answers at ${server}. Start the server, or correct the address.`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `There is no server named ${server}, or this machine is offline. Correct the address, or check the network.`;
  if (/CERT|SIGNATURE/.test(code))
    return `The certificate of ${server} is not valid here. Correct the address, or have this machine trust it.`;
  if (/SSL/.test(code)) return `${server} does not speak https. Begin the address with http://.`;
  return `${server} cannot be reached. Check the address and the network.`;
}

function hostOf(address: string): string {
  return URL.parse(address)?.host || "The provider";
}

/** The reason below the reasons: fetch wraps it, and addresses tried in vain are gathered in one error. */
function wireCode(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return wireCode(error instanceof AggregateError ? error.errors[0] : error.cause);
}

function statusOf({ status }: ModelError): string {
  return status === undefined ? "" : ` (status ${status})`;
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/[.!?]$/, "")}.`;
}
