/**
 * Every MUST and SHOULD that A2A 1.0.1 and 0.3.0 ask of a server, with how this service stands to it. The ids are
 * those of the team's list of requirements. A test shows a requirement by naming its id in square brackets in its
 * title; `requirements.test.ts` holds both sides together, and `docs/conformance.md` is made from this list.
 */
import type { Requirement } from "./requirement.ts";
import { requirements03 } from "./requirements-0-3.ts";
import { bindings10 } from "./requirements-1-0-bindings.ts";
import { card10 } from "./requirements-1-0-card.ts";
import { operations10 } from "./requirements-1-0-operations.ts";
import { security10 } from "./requirements-1-0-security.ts";

/** All of them, the newer version first, each version in the order of its specification. */
export const requirements: readonly Requirement[] = [
  ...operations10,
  ...card10,
  ...bindings10,
  ...security10,
  ...requirements03,
];
