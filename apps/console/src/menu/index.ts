export { Menu } from "./menu.tsx";
export type { MenuAction } from "./menu-action.ts";
