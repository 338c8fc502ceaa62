export { MAX_LINE_BYTES, ProgramTransport, type ProgramTransportOptions } from "./program-transport.ts";
