import { useEffect, useRef } from "react";
import { besideOf, keepFollowed, readCodePlace, useFollow, wasFollowed } from "../../../code-view/index.ts";
import { type OpenBeside, ROOM } from "../../../markdown/index.ts";
import { useLiveTurn } from "../live/use-live-turns.ts";
import { type TurnRow, viewOf } from "../transcript/shown-turns.ts";

/**
 * Opens beside a conversation what the agent shows in its newest turn, while a person follows. What was shown before this
 * page saw the turn run is not opened: its card is there.
 */
export function FollowedCode({
  session,
  row,
  onShow,
}: {
  readonly session: string;
  /** The newest turn. */
  readonly row: TurnRow | undefined;
  readonly onShow: OpenBeside;
}): null {
  const [follows] = useFollow();
  const live = useLiveTurn(row?.live);
  const view = viewOf(session, row?.stored, live);
  const artifacts = view?.artifacts ?? [];
  const at = artifacts.findLastIndex((artifact) => readCodePlace(artifact) !== undefined);
  const key = at === -1 ? undefined : `${view?.taskId} ${at}`;
  const place = readCodePlace(artifacts[at]);
  const seen = useRef<string>(undefined);
  const wasFollowing = useRef(follows);
  useEffect(() => {
    const isBegun = follows && !wasFollowing.current;
    wasFollowing.current = follows;
    if (!follows || key === undefined || place === undefined) return;
    const isNew = live !== undefined && key !== seen.current && !wasFollowed(key);
    if (!isNew && !isBegun) return;
    seen.current = key;
    keepFollowed(key);
    // Over the conversation only what a person opened is shown; there it follows too.
    const isOver = !window.matchMedia(ROOM).matches;
    if (isOver && document.querySelector("[data-code-pane]") === null) return;
    onShow({ ...besideOf(place), isUnasked: true });
  }, [follows, key, place, live, onShow]);
  return null;
}
