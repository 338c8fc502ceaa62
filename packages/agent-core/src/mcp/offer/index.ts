export { NO_OFFERS, offersOf, rootsOf } from "./offers.ts";
export { Sampler, type SamplingAsk, samplingRoles } from "./sampler.ts";
