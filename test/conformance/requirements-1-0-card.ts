/** A2A 1.0.1, sections 5, 7 and 8: what holds for every binding, authentication, the agent's card. */
import { deviates, met, notApplicable, type Requirement } from "./requirement.ts";

const NO_CUSTOM = "There is no custom binding.";
const TLS = "TLS ends at the operator's proxy; `A2A_PUBLIC_URL` puts its https address on the card.";
const NO_AUTH_REQUIRED = "A5: tasks have the five states of B15, and `auth-required` is none of them.";
const UNSIGNED = "Cards are not signed.";
const OLD_REST = "HTTP+JSON of 0.3 is served and not advertised: older official clients expect protobuf names there.";

/** Sections 5, 7 and 8 of 1.0.1. */
export const card10: readonly Requirement[] = [
  met("R10-5.1-1", "MUST", "any", "Every binding has the same functions, results, errors and credentials."),
  deviates(OLD_REST, "R10-5.2-1", "MUST", "card", "Every supported protocol is declared on the card."),
  met("R10-5.4-1", "MUST", "any", "Every error of the protocol has the code and the HTTP status of its table."),
  notApplicable(NO_CUSTOM, "R10-5.4-2", "MUST", "custom", "A custom binding defines codes for the errors."),
  notApplicable(NO_CUSTOM, "R10-5.4-3", "SHOULD", "custom", "A custom binding publishes the table of them."),
  met("R10-5.5-1", "MUST", "any", "Fields are named in camelCase."),
  met("R10-5.5-2", "MUST", "any", "Values of enumerations are their protobuf names."),
  met("R10-5.6.1-1", "MUST", "any", "Times are ISO 8601 in UTC."),
  met("R10-5.6.1-2", "SHOULD", "any", "Times have milliseconds."),
  met("R10-5.6.1-3", "MUST", "any", "Times are read and written correctly."),
  met("R10-5.6.1-4", "MUST NOT", "any", "Offsets other than Z."),
  met("R10-5.7-1", "MUST", "any", "Required fields are there and set."),
  met("R10-5.7-2", "SHOULD", "any", "Messages without them are refused."),
  met("R10-5.7-3", "MUST", "any", "Required lists are not empty."),
  met("R10-5.7-4", "SHOULD", "any", "Unknown fields are ignored."),
  notApplicable(NO_CUSTOM, "R10-5.8-1", "SHOULD", "custom", "A custom binding is identified by a URI."),
  notApplicable(NO_CUSTOM, "R10-5.8-2", "SHOULD", "custom", "The card's `protocolBinding` holds that URI."),
  notApplicable(NO_CUSTOM, "R10-5.8-3", "MUST", "custom", "A custom binding that changes incompatibly gets a new URI."),
  notApplicable(TLS, "R10-7.1-1", "MUST", "any", "Transport in production is encrypted."),
  notApplicable(TLS, "R10-7.1-2", "SHOULD", "any", "TLS is modern, 1.3 or newer."),
  met("R10-7.4-1", "MUST", "any", "Every request is authenticated."),
  met("R10-7.4-2", "SHOULD", "any", "Refusals use the binding's own codes: 401 and 403."),
  met("R10-7.4-3", "SHOULD", "any", "They carry a challenge."),
  notApplicable(NO_AUTH_REQUIRED, "R10-7.6.1-1", "MUST", "any", "Authorization during a task is tracked by a Task."),
  notApplicable(NO_AUTH_REQUIRED, "R10-7.6.1-2", "MUST", "any", "Such a task moves to AUTH_REQUIRED."),
  notApplicable(NO_AUTH_REQUIRED, "R10-7.6.1-3", "MUST", "any", "Its status message explains what is needed."),
  notApplicable(NO_AUTH_REQUIRED, "R10-7.6.1-4", "MUST", "any", "Credentials are received out of band."),
  notApplicable(NO_AUTH_REQUIRED, "R10-7.6.1-5", "SHOULD", "any", "Streams stay open meanwhile."),
  notApplicable(NO_AUTH_REQUIRED, "R10-7.6.1-6", "SHOULD", "any", "Messages to the task are taken meanwhile."),
  notApplicable(
    NO_AUTH_REQUIRED,
    "R10-7.6.3-1",
    "SHOULD",
    "any",
    "Credentials travel over a secure channel of their own.",
  ),
  notApplicable(
    NO_AUTH_REQUIRED,
    "R10-7.6.3-2",
    "SHOULD",
    "any",
    "Credentials in a message are bound to the agent that asked.",
  ),
  notApplicable(NO_AUTH_REQUIRED, "R10-7.6.3-3", "SHOULD", "any", "Only that agent can read them."),
  met("R10-8.1-1", "MUST", "card", "There is a card."),
  met("R10-8.3-1", "MUST", "card", "The card declares the protocols as they are."),
  deviates(OLD_REST, "R10-8.3.1-1", "SHOULD", "card", "`supportedInterfaces` lists all of them, the preferred first."),
  met("R10-8.3.1-2", "MUST", "card", "Each interface has its true transport and address."),
  notApplicable(UNSIGNED, "R10-8.4.1-1", "MUST", "card", "A card is brought into canonical form before it is signed."),
  notApplicable(UNSIGNED, "R10-8.4.1-2", "MUST", "card", "That form respects which fields are present."),
  notApplicable(UNSIGNED, "R10-8.4.1-3", "MUST", "card", "Optional fields that are not set are left out of it."),
  notApplicable(UNSIGNED, "R10-8.4.1-4", "MUST", "card", "Optional fields that are set stay in it."),
  notApplicable(UNSIGNED, "R10-8.4.1-5", "MUST", "card", "Required fields stay in it."),
  notApplicable(UNSIGNED, "R10-8.4.1-6", "MUST", "card", "Other fields with their default are left out of it."),
  notApplicable(UNSIGNED, "R10-8.4.1-7", "MUST", "card", "It follows RFC 8785."),
  notApplicable(UNSIGNED, "R10-8.4.1-8", "MUST", "card", "It does not hold the signatures."),
  notApplicable(UNSIGNED, "R10-8.4.2-1", "MUST", "card", "A signature's protected header names algorithm and key."),
  notApplicable(UNSIGNED, "R10-8.4.2-2", "SHOULD", "card", "A signature's `typ` is JOSE."),
  met("R10-8.6-1", "SHOULD", "card", "Cards are cached by the rules of HTTP."),
  met("R10-8.6.1-1", "SHOULD", "card", "A card comes with Cache-Control and max-age."),
  met("R10-8.6.1-2", "SHOULD", "card", "A card comes with an ETag made of its content."),
];
