import { localGateway } from "../../../packages/agent-core/src/testing/index.ts";
import type { Journey } from "../rig/journey.ts";
import { TOUR_SERVICE, tour } from "../tour/tour.ts";
import { TOUR_MODELS, tourModel } from "../tour/tour-model.ts";

export const journeys: readonly Journey[] = [
  {
    title:
      "the tour: somebody new connects a model, reads, stops, changes the question, answers, approves on a phone, and shares a run",
    service: TOUR_SERVICE,
    async run({ page, visit, expectStatus }) {
      const gateway = await localGateway(tourModel());
      gateway.list(TOUR_MODELS);
      try {
        await tour({
          ...{ page, visit, expectStatus, gateway: gateway.baseUrl },
          step: (_title, work) => work(),
          write: (box, text) => box.fill(text),
          turnTo: async () => {},
        });
      } finally {
        await gateway.close();
      }
    },
  },
];
