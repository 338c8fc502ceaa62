import { defineResource } from "../resource/index.ts";
import { addProject, cloneProject, editProject, listProjects, projectsRoutes, removeProject } from "./routes.ts";

/** The folders that the agent may work in. */
export const projects = defineResource({
  name: "projects",
  feature: "projects",
  definitions: [listProjects, addProject, cloneProject, editProject, removeProject],
  topics: [
    {
      topic: "projects.changed",
      when: "Which folders the agent may work in, or what it may do there, has changed",
      data: "none",
    },
  ],
  routes: projectsRoutes,
});
