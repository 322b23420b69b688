import type { Project } from '../contract/app';
import { fail, ok, type Result } from '../contract/result';

/** The exact name of a project: its computer and its folder there. */
const exactName = ({ mount, folder, remote }: Project): string =>
  remote === undefined ? folder : `${remote.machine}:${mount}`;

/** The project that the person means: by its name, `name on computer`, `computer:folder`, or its folder here. */
export function namedProject(projects: readonly Project[], wanted: string): Result<Project> {
  const exact = projects.find((one) => exactName(one) === wanted);
  if (exact !== undefined) return ok(exact);
  const named = projects.filter(
    ({ name, remote }) => name === wanted || (remote && `${name} on ${remote.machine}` === wanted),
  );
  const [one, ...more] = named;
  if (one === undefined) return fail('not_found', 'cli_no_project', { name: wanted });
  return more.length === 0
    ? ok(one)
    : fail('conflict', 'cli_projects_named', { name: wanted, names: named.map(exactName).join(', ') });
}
