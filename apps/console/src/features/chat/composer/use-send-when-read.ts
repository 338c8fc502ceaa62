import { useEffect, useState } from "react";

/** Sending that waits for the files of the message. */
export interface SendWhenRead {
  readonly send: () => void;
  /** It is sent once the files are read. */
  readonly isHeld: boolean;
}

/** Sends at once, or, while files are being read, once they are; where one cannot be (`hasFailed`), the message stays. */
export function useSendWhenRead(isReading: boolean, hasFailed: boolean, sendNow: () => void): SendWhenRead {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (!isHeld || isReading) return;
    setHeld(false);
    if (!hasFailed) sendNow();
  });
  return { isHeld, send: () => (isReading ? setHeld(true) : sendNow()) };
}
