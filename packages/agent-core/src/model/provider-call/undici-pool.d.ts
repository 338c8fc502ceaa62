// undici's index costs 12 MB and 65 ms at start (measured); its pool alone has no types of its own.
declare module "undici/lib/dispatcher/pool.js" {
  import type { Pool } from "undici";

  const PoolAlone: typeof Pool;
  export default PoolAlone;
}
