import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { TextField } from "../../ui/index.ts";

/** The search over all settings: what is typed is part of the address of the page of all of them, which goes on with it. */
export function SettingsSearch({ value }: { readonly value: string }): ReactElement {
  const navigate = useNavigate();
  const box = useRef<HTMLDivElement>(null);
  const wasTyped = useRef(value !== "");
  // The address follows a moment later: until then the field holds what was typed.
  const [typed, setTyped] = useState(value);
  const onTheWay = useRef<string[]>([]);
  useEffect(() => {
    const arrived = onTheWay.current.indexOf(value);
    onTheWay.current = onTheWay.current.slice(arrived === -1 ? onTheWay.current.length : arrived + 1);
    if (arrived === -1) setTyped(value);
  }, [value]);
  useEffect(() => {
    // The field of another page began it.
    if (wasTyped.current) box.current?.querySelector("input")?.focus();
  }, []);
  return (
    <div ref={box}>
      <TextField
        label="Search all settings"
        bare
        type="search"
        placeholder="Search all settings"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          onTheWay.current.push(target.value);
          void navigate({
            to: "/settings/all",
            search: target.value === "" ? {} : { q: target.value },
            replace: value !== "",
          } as Parameters<typeof navigate>[0]);
        }}
      />
    </div>
  );
}
