export { describeProvenance, type Provenance } from "./provenance.ts";
