export { BoardLink } from "./board-link.tsx";
