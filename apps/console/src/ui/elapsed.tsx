import { type ReactElement, useEffect, useState } from "react";
import { duration } from "./format.ts";

/** Seconds since a time, counting. */
export function Elapsed({ since }: { readonly since: number }): ReactElement {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((now - since) / 1_000));
  return (
    <>
      {duration(seconds * 1_000)
        .replace("0 ms", "0 s")
        .replace(".0", "")}
    </>
  );
}
