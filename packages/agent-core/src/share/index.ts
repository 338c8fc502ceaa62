export { OPERATOR_CLASS, type Party, PartyCount, partyOf, shareOf } from "./share.ts";
