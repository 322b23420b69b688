import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import type { Gate } from '../../approvals/gate';
import { sourcesNamed } from '../../approvals/outside-sources';
import type { Rule, RuleDraft } from '../../contract/control';
import { optional } from '../../contract/shared/optional';
import { because, type Reason } from '../../contract/shared/reasons';
import { scrubEnv } from '../../harness/backends';
import { BUILT_IN_NAMES } from '../../harness/tools/catalogue';
import { McpServers } from '../../mcp/servers';
import type { TurnTool } from '../../mcp/tools/turn-tool';
import { findSecrets } from '../../secrets';
import type { Storage } from '../../storage';
import { MARK_VARIABLE, ProcessTree } from '../../terminal/pty/process-tree';
import type { DesktopServices } from '../window/desktop-services';
import type { Hub } from '../window/hub';
import { keptSecrets } from '../window/kept-secrets';
import { nativeTextOf } from '../window/native-language';
import { filesOfProgramIn } from './mcp-program-files';

/** Creates the MCP servers with their dependencies on other modules. */
export function createMcp(options: {
  dataDir: string;
  env: NodeJS.ProcessEnv;
  version: string;
  storage: Storage;
  desktop: DesktopServices;
  hub: Hub;
  warn: (why: Reason) => void;
  safeMode?: boolean;
}): McpServers {
  const { dataDir, env, version, storage, desktop, hub, warn } = options;
  return new McpServers({
    dataDir,
    home: homedir(),
    isOff: options.safeMode === true,
    env,
    baseEnv: scrubEnv(env),
    filesOfProgram: filesOfProgramIn(dataDir),
    projectFolders: () => storage.projects.list().map(({ folder }) => folder),
    version,
    kept: storage.settings,
    values: keptSecrets(storage, desktop.keychain, (id) => `mcp:${id}`),
    likelySecrets: findSecrets,
    reserved: BUILT_IN_NAMES,
    processes: {
      mark: (id) => ({ [MARK_VARIABLE]: id }),
      own: (pid, id) => {
        const tree = new ProcessTree(pid, id);
        return { end: (graceMs) => tree.end(graceMs), killNow: () => tree.killNow() };
      },
    },
    onChanged: (projectId) => hub.app({ type: 'mcp.changed', projectId }),
    openBrowser: (url) => desktop.openExternal(url),
    signInWords: () => {
      const t = nativeTextOf(storage, desktop);
      return { signedIn: t('signedIn'), notSignedIn: t('notSignedIn') };
    },
    onSignInNeeded: (names) =>
      warn(
        // The headless command has no browser and no keychain for a sign-in.
        desktop.showWindow === undefined
          ? because('servers_need_token', { names: names.join(', '), example: TOKEN_EXAMPLE })
          : because('servers_need_sign_in', { names: names.join(', ') }),
      ),
    // The window shows it in the settings.
    onUnusable: (why) => {
      if (desktop.showWindow === undefined) for (const one of why) warn(one);
    },
    onWaiting: (project, names) =>
      warn(
        project === null
          ? because('server_files_changed', { names: names.join(', ') })
          : because('folder_brings_servers', { folder: project.name, names: names.join(', ') }),
      ),
  });
}

/** In `mcp.json`. */
const TOKEN_EXAMPLE = `"headers": {"Authorization": "Bearer \${TOKEN}"}`;

/**
 * Adds the known facts about a server's tool, only its owner, and binds the approval to the tool's current description.
 * Allow and deny rules still apply.
 */
export function gateOfMcp(gate: Gate, tools: readonly TurnTool[]): Gate {
  return {
    judge: async (call, signal, past) => {
      const verdict = await gate.judge(call, signal, past);
      // The tools of a run may change while it works.
      const found = tools.find(({ tool }) => tool.name === call.tool);
      if (found === undefined || verdict.verdict !== 'ask') return verdict;
      const bound = `${verdict.question.digest}\n${found.identity}`;
      const digest = createHash('sha256').update(bound).digest('hex');
      if (past?.startedBefore === true) return { verdict: 'ask', question: { ...verdict.question, digest } };
      const says = found.saysDestructive
        ? [because('mcp_destructive')]
        : found.saysReadOnly
          ? [because('mcp_read_only')]
          : [];
      return {
        verdict: 'ask',
        question: {
          ...verdict.question,
          digest,
          reason: [
            ...sourcesNamed(verdict.question.reason),
            because('mcp_tool', { server: found.server }),
            ...says,
          ],
          risk: found.saysDestructive ? 'high' : 'medium',
        },
      };
    },
  };
}

/**
 * The rules that apply to these tools. A permission is for one server, by its origin and configuration: a server from a
 * folder can take any name and would inherit another's trust. Older rules without a server apply to the person's own
 * servers.
 */
export function rulesAmong(rules: readonly Rule[], tools: readonly TurnTool[]): Rule[] {
  const byName = new Map(tools.map((one) => [one.tool.name, one]));
  return rules.filter(({ effect, match, scope }) => {
    if (effect !== 'allow' || match.kind !== 'tool') return true;
    const offered = byName.get(match.tool);
    if (offered === undefined) return match.server === undefined;
    if (offered.scope === 'project' && scope.kind === 'person') return false;
    return match.server === undefined ? offered.scope === 'person' : match.server === offered.serverIdentity;
  });
}

/** The draft with the server that currently offers its tool. A rule for every project is for a server of the person. */
export function boundToServer(draft: RuleDraft, tools: readonly TurnTool[]): RuleDraft {
  const { effect, match, scope } = draft;
  if (match.kind !== 'tool') return draft;
  const { kind, tool } = match;
  const offered = tools.find((one) => one.tool.name === tool);
  const isBound = effect === 'allow' && (scope.kind !== 'person' || offered?.scope === 'person');
  const server = isBound ? offered?.serverIdentity : undefined;
  return { effect, match: { kind, tool, ...optional({ server }) }, scope };
}
