export { type AtomicWrite, writeFileAtomic } from "./write-file-atomic.ts";
