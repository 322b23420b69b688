import type { ProjectId } from '../../contract/ids';
import { digestOf } from './config';
import type { Configured } from './configured-servers';

/** An MCP server that the person set up in their editor. */
export interface EditorServer {
  name: string;
  transport: 'stdio' | 'http' | 'sse';
  /** Empty for `http` and `sse`. */
  command: string;
  args: readonly string[];
  /** Empty for `stdio`. */
  url: string;
  /** Environment variables for `stdio`, headers for the others. */
  secrets: Readonly<Record<string, string>>;
}

/** Milliseconds for a call and for starting. */
const CALL_TIMEOUT = 60_000;
const START_TIMEOUT = 30_000;

/**
 * The servers that open editor sessions bring to their projects. Nothing is saved. The person chose them in the editor, so
 * they need no further consent; their calls are asked about like those of any server.
 */
export class EditorServers {
  private readonly sessions = new Map<string, { projectId: ProjectId; servers: Configured[] }>();

  /** Replaces those of a session. */
  set(sessionId: string, projectId: ProjectId, servers: readonly EditorServer[]): void {
    this.sessions.set(sessionId, {
      projectId,
      servers: servers.map((server) => configuredOf(projectId, server)),
    });
  }

  remove(sessionId: string): void {
    this.sessions.delete(sessionId);
  }

  /** Equal servers of several sessions count once. */
  of(projectId: ProjectId): Configured[] {
    const all = [...this.sessions.values()].filter((one) => one.projectId === projectId);
    return [...new Map(all.flatMap(({ servers }) => servers).map((one) => [one.key, one])).values()];
  }
}

/** In place of a file. */
export const EDITOR = 'editor';

function configuredOf(projectId: ProjectId, server: EditorServer): Configured {
  const { name, transport, command, args, url, secrets } = server;
  const digest = digestOf({ editor: server });
  return {
    id: `editor:${name}:${digest.slice(0, 12)}`,
    key: `${projectId}:editor:${name}:${digest}`,
    scope: 'project',
    source: EDITOR,
    digest,
    identity: digest,
    files: [],
    barred: undefined,
    entry: {
      name,
      digest,
      ok: true,
      config: {
        name,
        transport,
        command,
        args: [...args],
        cwd: '',
        url,
        secrets: { ...secrets },
        variables: [],
        callTimeout: CALL_TIMEOUT,
        startTimeout: START_TIMEOUT,
        disabled: false,
        isLiteral: true,
        digest,
      },
    },
  };
}
