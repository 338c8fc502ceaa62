export { type CallerClass, OPERATOR_CLASS } from "./caller-class.ts";
export { type Party, PartyCount, partyOf, shareOf } from "./share.ts";
