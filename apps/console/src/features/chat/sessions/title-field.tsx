import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from "react";

/** A title that is being changed where it stands: Enter or leaving it saves, Escape leaves it as it was. */
export function TitleField({
  title,
  onDone,
}: {
  readonly title: string;
  /** With the new title; undefined: it stays as it was. */
  readonly onDone: (title: string | undefined) => void;
}): ReactElement {
  const [value, setValue] = useState(title);
  const box = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  const end = (next: string): void => {
    if (isOver.current) return;
    isOver.current = true;
    const given = next.trim();
    onDone(given === "" || given === title ? undefined : given);
  };
  const save = useRef(() => {});
  save.current = () => end(value);
  useEffect(() => {
    // A menu that closes gives the focus back after this is shown.
    const frame = requestAnimationFrame(() => box.current?.select());
    const pressed = ({ target }: PointerEvent): void => {
      if (target !== box.current) save.current();
    };
    document.addEventListener("pointerdown", pressed, true);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener("pointerdown", pressed, true);
    };
  }, []);
  const pressed = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" || event.key === "Tab") end(value);
    else if (event.key === "Escape") {
      // Escape stops the turn where nothing else takes it.
      event.preventDefault();
      end(title);
    }
  };
  // Left neither by key nor by pointer: the page that opens behind a double click took the focus.
  const left = (): void => void requestAnimationFrame(() => isOver.current || box.current?.focus());
  return (
    <input
      ref={box}
      aria-label="Title"
      maxLength={200}
      value={value}
      onChange={(event) => setValue(event.target.value)}
      onKeyDown={pressed}
      onBlur={left}
      className="min-w-0 flex-1 rounded-md border border-line-strong bg-ground px-2 py-1 text-ink"
    />
  );
}
