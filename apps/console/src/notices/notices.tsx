import { X } from "lucide-react";
import { createContext, type ReactElement, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { buttonClass, classNames } from "../ui/index.ts";
import { type Notice, type ShownNotice, withNotice } from "./newest-notices.ts";

/** Shows a notice; returns a function that closes it. */
type Notify = (notice: Notice) => () => void;

const Context = createContext<Notify | undefined>(undefined);
const SHOWN_MS = 6_000;

const TONES: Readonly<Record<Notice["tone"], string>> = {
  plain: "border-line",
  good: "border-good",
  bad: "border-bad",
  waiting: "border-waiting",
};

/** Shows notices above everything inside. */
export function NoticesProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const [shown, setShown] = useState<readonly ShownNotice[]>([]);
  const close = useCallback((key: number) => setShown((all) => all.filter((one) => one.key !== key)), []);
  const notify = useCallback<Notify>(
    (notice) => {
      const key = performance.now() + Math.random();
      setShown((all) => withNotice(all, { ...notice, key }));
      // Failures and prompts stay until they are closed.
      if (notice.tone === "plain" || notice.tone === "good") window.setTimeout(() => close(key), SHOWN_MS);
      return () => close(key);
    },
    [close],
  );
  const list = useMemo(
    () => shown.map((notice) => <NoticeCard key={notice.key} notice={notice} onClose={() => close(notice.key)} />),
    [shown, close],
  );
  return (
    <Context.Provider value={notify}>
      {children}
      {/* At the top, below the head of a page: its figures are there, the composer and save buttons at the bottom. */}
      <div
        role="status"
        aria-live="polite"
        className="pointer-events-none fixed inset-x-3 top-24 z-30 flex flex-col items-end gap-2"
      >
        {list}
      </div>
    </Context.Provider>
  );
}

function NoticeCard({ notice, onClose }: { readonly notice: Notice; readonly onClose: () => void }): ReactElement {
  const { text, tone, action } = notice;
  return (
    <div
      className={classNames(
        "pointer-events-auto flex max-w-sm animate-appear items-start gap-3 rounded-md border-l-4 bg-raised py-2 pr-2 pl-3 shadow-float",
        TONES[tone],
      )}
    >
      <p className="py-0.5">{text}</p>
      {action !== undefined && (
        <button
          type="button"
          className={buttonClass({ kind: "quiet", small: true })}
          onClick={() => {
            action.run();
            onClose();
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        className={buttonClass({ kind: "quiet", icon: true, small: true })}
        onClick={onClose}
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}

/** Returns a function that shows a notice. Throws outside of a `NoticesProvider`. */
export function useNotices(): Notify {
  const notify = useContext(Context);
  if (notify === undefined) throw new Error("useNotices outside of NoticesProvider");
  return notify;
}
