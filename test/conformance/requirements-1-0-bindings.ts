/** A2A 1.0.1, sections 9 to 12: JSON-RPC, gRPC, HTTP+JSON, custom bindings. */
import { deviates, met, notApplicable, type Requirement } from "./requirement.ts";

const NO_GRPC = "gRPC is not served; the card does not offer it.";
const NO_CUSTOM = "There is no custom binding.";

/** Sections 9 to 12 of 1.0.1. */
export const bindings10: readonly Requirement[] = [
  met("R10-9.2-1", "MUST", "JSON-RPC", "Service parameters are HTTP headers, whose names ignore case."),
  met("R10-9.2-2", "MUST", "JSON-RPC", "A parameter's name is the header's name."),
  met("R10-9.2-3", "SHOULD", "JSON-RPC", "Several values are in one header, with commas between them."),
  met("R10-9.3-1", "MUST", "JSON-RPC", "Requests have the form of JSON-RPC 2.0."),
  met("R10-9.5-1", "MUST", "JSON-RPC", "Every object in an error's `data` has an `@type`."),
  met("R10-9.5-2", "SHOULD", "JSON-RPC", "They are ErrorInfo and BadRequest."),
  notApplicable(NO_GRPC, "R10-10.2-1", "MUST", "gRPC", "Service parameters are metadata."),
  notApplicable(NO_GRPC, "R10-10.2-2", "MUST", "gRPC", "A parameter's name is the metadata's key."),
  notApplicable(NO_GRPC, "R10-10.2-3", "SHOULD", "gRPC", "Several values have commas between them."),
  notApplicable(NO_GRPC, "R10-10.2-4", "MUST", "gRPC", "The server reads them."),
  notApplicable(NO_GRPC, "R10-10.2-5", "SHOULD", "gRPC", "The server validates the required ones."),
  notApplicable(NO_GRPC, "R10-10.6-1", "MUST", "gRPC", "Errors carry an ErrorInfo."),
  deviates(
    "A2: both types are accepted, answers are `application/json`.",
    "R10-11.1-1",
    "SHOULD",
    "HTTP+JSON",
    "Bodies are `application/a2a+json` in both directions.",
  ),
  met("R10-11.2-1", "MUST", "HTTP+JSON", "Service parameters are HTTP headers."),
  met("R10-11.2-2", "MUST", "HTTP+JSON", "A parameter's name is the header's name."),
  met("R10-11.2-3", "SHOULD", "HTTP+JSON", "Several values are in one header, with commas between them."),
  met("R10-11.5-1", "MUST", "HTTP+JSON", "GET and DELETE take their inputs from the path and the query."),
  met("R10-11.5-2", "MUST", "HTTP+JSON", "Names in the query are camelCase."),
  met("R10-11.5-3", "MUST", "HTTP+JSON", "What is nested travels by POST."),
  met("R10-11.5-4", "MUST", "HTTP+JSON", "Values in the address are percent-encoded."),
  met("R10-11.6-1", "MUST", "HTTP+JSON", "Every object in an error's `details` has an `@type`."),
  met("R10-11.6-2", "SHOULD", "HTTP+JSON", "They are well-known types."),
  met("R10-11.6-3", "MUST", "HTTP+JSON", "Errors of the protocol include an ErrorInfo with type, reason and domain."),
  met("R10-11.7-1", "SHOULD", "HTTP+JSON", "A stream keeps the order of its events."),
  notApplicable(NO_CUSTOM, "R10-12-1", "MUST", "custom", "It meets all of section 5."),
  notApplicable(NO_CUSTOM, "R10-12.1-1", "MUST", "custom", "It has all operations, data and semantics, documented."),
  notApplicable(NO_CUSTOM, "R10-12.2-1", "MUST", "custom", "It maps types, times, bytes and enumerations."),
  notApplicable(NO_CUSTOM, "R10-12.3-1", "MUST", "custom", "It documents how parameters travel."),
  notApplicable(NO_CUSTOM, "R10-12.4-1", "MUST", "custom", "It maps every error and keeps its details."),
  notApplicable(NO_CUSTOM, "R10-12.5-1", "MUST", "custom", "It declares on the card if it cannot stream."),
  notApplicable(NO_CUSTOM, "R10-12.6-1", "MUST", "custom", "It supports the declared credentials and challenges."),
  notApplicable(NO_CUSTOM, "R10-12.7-1", "MUST", "custom", "It is declared on the card by URI and address."),
  notApplicable(NO_CUSTOM, "R10-12.8-1", "SHOULD", "custom", "It is tested against the standard bindings."),
];
