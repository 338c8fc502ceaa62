export {
  type LocalInfisical,
  type LocalInfisicalOptions,
  type LocalSecret,
  localInfisical,
  type SeenRequest,
} from "./local-infisical.ts";
