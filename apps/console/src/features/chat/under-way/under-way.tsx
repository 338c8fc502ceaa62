import { type ComponentType, type ReactElement, useEffect, useState } from "react";

interface Of {
  readonly session: string;
}

/** Milliseconds until what could not be loaded is asked for again. */
const AGAIN_MS = 3_000;

/**
 * What is under way in a session; nothing where nothing is. Loaded beside the turns, which are shown first, and which a
 * connection that is gone as it is loaded does not take away.
 */
export function UnderWay(of: Of): ReactElement | null {
  const [Read, setRead] = useState<ComponentType<Of>>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const load = async (): Promise<void> => {
      try {
        const { ReadUnderWay } = await import("./read-under-way.tsx");
        if (!isGone) setRead(() => ReadUnderWay);
      } catch {
        if (!isGone) timer = setTimeout(() => void load(), AGAIN_MS);
      }
    };
    void load();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, []);
  return Read === undefined ? null : <Read {...of} />;
}
