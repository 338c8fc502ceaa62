/**
 * A name as file systems that fold names may see it (FE6): composed, without case, without characters that are ignored,
 * without dots and blanks at its end. For comparing where a name denies, never for opening.
 */
export function foldedName(name: string): string {
  return name
    .normalize("NFC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFC")
    .replace(/[. ]+$/u, "");
}
