export { ListColumn } from "./list-column.tsx";
