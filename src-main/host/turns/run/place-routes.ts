import type { EngineApi, PathChange } from '../../../changes';
import type { Project } from '../../../contract/app';
import type { Place } from '../../../contract/places';
import type { BackendProtocol } from '../../../harness';
import type { PathState } from '../../../storage/place-writes';
import { machineName, mountOfPlace, policed, runsCommands } from '../../places/place-policy';
import type { Places } from '../../places/places';
import { recordedPlace } from '../../places/recorded-place';
import { authorOf, type Recording } from './recorded-shell';

interface RouteParts {
  places: Places;
  engine: EngineApi;
  recording: Recording;
  report: (error: unknown) => void;
}

/** The project's places for the agent, by mount: each with its policy, and with an undo for what calls change there. */
export function placeRoutes(project: Project, parts: RouteParts): Record<string, BackendProtocol> {
  const { places, engine, recording, report } = parts;
  const { log } = recording;
  const record = {
    keep: (bytes: Uint8Array) => engine.keep(bytes),
    begin: (id: string, tool: string, before: PathState[]) =>
      log.changingInPlace(project, { author: authorOf(recording, id, tool), before }),
    record: (id: string, tool: string, changes: readonly PathChange[]) =>
      log.changedInPlace(project, authorOf(recording, id, tool), changes),
    report,
  };
  return Object.fromEntries(
    places
      .of(project)
      .map((place) => [
        place.path,
        policed(
          recordedPlace(places.backendOf(place), mountOfPlace(place), record),
          place,
          places.callsOf(place),
        ),
      ]),
  );
}

/** What the agent is told of the places, one line each. */
export const placeFacts = ({ remote }: Pick<Project, 'remote'>, places: readonly Place[]): string[] =>
  places.map((place) =>
    place.id === remote?.placeId
      ? homeFact(place, remote.machine)
      : `Mounted at ${place.path}: ${describe(place)}`,
  );

/** The project folder itself, on another machine. */
function homeFact(place: Place, machine: string): string {
  const { writing } = place.policy;
  const commands = runsCommands(place) ? 'Commands run there, too.' : 'No commands run there.';
  return `The project folder is on ${machine}. ${commands}${writing === 'deny' ? ' It is read-only.' : ''}`;
}

function describe(place: Place): string {
  const { options, policy } = place;
  const writing = policy.writing === 'deny' ? ' It is read-only.' : '';
  switch (options.kind) {
    case 'folder':
      return `another folder, for the file tools. In commands, its path is ${options.folder}.${writing}`;
    case 'ssh':
    case 'container': {
      const where = `a folder ${options.kind === 'ssh' ? 'on' : 'in the container'} ${machineName(options)}`;
      return runsCommands(place)
        ? `${where}, for the file tools. Commands with place "${place.path}" run there, in that folder.`
        : `${where}, for the file tools. Commands do not reach it.${writing}`;
    }
    case 'team':
      return `memories of a team, for the file tools. Others may change them, too: read a memory before you change it.${writing}`;
    case 'bucket':
      return `a bucket, for the file tools. Others may change its files, too: read a file before you change it.${writing}`;
    case 'hub':
      return `prompts and memories in the LangSmith Hub, for the file tools. Each change is a commit that others see.${writing}`;
    case 'module':
      return `files from a module of this project, for the file tools.${writing}`;
    default:
      return options satisfies never;
  }
}
