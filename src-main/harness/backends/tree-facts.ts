import { optional } from '../../contract/shared/optional';
import { asDirectory } from './paths';
import type { BackendProtocol } from './protocol';

/** Where the files below a prefix are for a command. Null: commands cannot reach them. Both end with `/`. */
export interface RouteFolder {
  /** Path of the file tools. */
  prefix: string;
  /** Path for commands. */
  folder: string | null;
}

/** What a tree of several backends says about itself. Backends around it pass it on. */
export interface TreeFacts {
  /** Folder of the tree for what the agent saves automatically. */
  readonly artifactsRoot?: string | undefined;
  /** For trees in which commands run: where routes are elsewhere for a command than for a file tool. */
  readonly routeFolders?: readonly RouteFolder[] | undefined;
}

export function treeFacts(backend: object): TreeFacts {
  const { artifactsRoot, routeFolders } = backend as TreeFacts;
  return {
    ...optional({ artifactsRoot, routeFolders }),
  };
}

/** A folder for what the agent saves automatically, such as `/large_tool_results`. */
export function artifactFolder(backend: object, name: string): string {
  const { artifactsRoot = '/' } = treeFacts(backend);
  return `${artifactsRoot.replace(/\/+$/, '')}/${name}`;
}

/** A folder on this machine, or a backend's root in it. */
interface OnDisk {
  readonly diskFolder?: string | undefined;
}

/** Compares what file tools and commands call the same files. `shell`: the backend that runs the commands. */
export function routeFoldersOf(
  shell: object,
  parts: readonly { prefix: string; backend: object }[],
): RouteFolder[] {
  const isHere = (shell as OnDisk).diskFolder !== undefined;
  return parts.flatMap(({ prefix, backend }) => {
    const { diskFolder } = backend as OnDisk;
    if (backend === shell && !isHere) return prefix === '/' ? [] : [{ prefix, folder: '/' }];
    const folder = isHere && diskFolder !== undefined ? asDirectory(diskFolder) : null;
    return folder === prefix ? [] : [{ prefix, folder }];
  });
}

/** Tells a model which paths of the file tools mean something else in a command. Empty if none does. */
export function routePrompt(backend: BackendProtocol): string {
  const { routeFolders = [] } = treeFacts(backend);
  const unreachable = routeFolders.filter(({ folder }) => folder === null).map(({ prefix }) => prefix);
  return [
    ...routeFolders.flatMap(({ prefix, folder }) =>
      folder === null ? [] : [`- In commands, \`${prefix}\` of the file tools is \`${folder}\`.`],
    ),
    ...(unreachable.length === 0
      ? []
      : [`- Commands cannot reach files below ${unreachable.join(', ')}. Use the file tools for them.`]),
  ].join('\n');
}
