import { type FilesystemPermission, PermissionRules } from '../backends/permissions';

/** Files that programs run, or obey, without asking: whoever can write them can run anything later. */
const RUN_BY_OTHERS = [
  '.git/config',
  '.git/hooks/**',
  '.vscode/tasks.json',
  '.vscode/settings.json',
  '.vscode/launch.json',
  '.envrc',
  // Lists of MCP servers, which are programs to start.
  '.mcp.json',
  '.deepdesk/mcp.json',
  '.vscode/mcp.json',
  '.cursor/mcp.json',
];

/** Files that hold keys and passwords, and examples that only look like them. */
const SECRETS = ['.env', '.env.*', '.envrc', '*.pem', '*.key', '*.p12', 'id_rsa', 'id_ecdsa', 'id_ed25519'];
const NO_SECRETS = ['.env.example', '.env.sample', '.env.template'];

/**
 * Places in the folder that are asked for each time, whoever asks: reading what holds secrets, writing what other
 * programs run. Names are taken in any case, since systems do. Where links lead is checked by whoever applies the rules.
 */
export function protectedPaths(mount: string): FilesystemPermission[] {
  const anywhere = (names: readonly string[]) => names.map((name) => `${literally(mount)}/**/${name}`);
  return [
    { operations: ['read', 'write'], paths: anywhere(NO_SECRETS), ignoreCase: true, mode: 'allow' },
    {
      operations: ['write'],
      paths: anywhere(RUN_BY_OTHERS),
      ignoreCase: true,
      mode: 'interrupt',
      reason: 'Other programs run what is in this file, or do what it says, without asking you.',
    },
    {
      operations: ['read', 'write'],
      paths: anywhere(SECRETS),
      ignoreCase: true,
      mode: 'interrupt',
      reason:
        'This file may hold passwords or keys. What is read is sent to the model, but for what looks like one.',
    },
  ];
}

/** Whether a file's text is left out of what searches find. */
export function holdsSecrets(mount: string): (path: string) => boolean {
  const rules = new PermissionRules(protectedPaths(mount));
  return (path) => rules.judge('read', path).mode !== 'allow';
}

/** A path as a glob that only it meets. */
export const literally = (path: string) => path.replace(/[\\*?[\]{}!]/g, (char) => `\\${char}`);
