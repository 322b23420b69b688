import type { McpServer, McpState, McpTool } from '../contract/mcp';
import { setupOf } from './config/config';
import type { Configured } from './config/configured-servers';
import { openSecrets } from './open-secrets';
import type { McpOptions } from './options';
import type { Server } from './server';
import type { Offer } from './tools/offers';

interface Facts extends Pick<McpOptions, 'values' | 'likelySecrets'> {
  /** What it offers to the agent, if it runs. */
  offer: Offer | undefined;
  /** The state of a sign-in in progress, or of the last one. */
  signing: McpState | undefined;
}

/** A configured server as the settings show it. */
export function shownServer(one: Configured, facts: Facts): McpServer {
  const { offer } = facts;
  const signedIn = offer?.server.signedIn ?? null;
  const tools: McpTool[] = (offer?.server.tools.tools ?? []).flatMap((tool) => {
    const name = offer?.names.get(tool.title);
    const { title, description, saysReadOnly, saysDestructive } = tool;
    return name === undefined ? [] : [{ name, title, description, saysReadOnly, saysDestructive }];
  });
  return {
    id: one.id,
    name: one.entry.name,
    scope: one.scope,
    source: one.source,
    setup: setupFor(one, facts),
    digest: one.digest,
    state: one.barred ?? stateOf(offer?.server, facts.signing),
    account: signedIn === null ? null : { at: signedIn.at, as: signedIn.as },
    tools,
    leftOut: offer === undefined ? [] : [...offer.server.tools.leftOut, ...offer.refused],
  };
}

function setupFor({ entry, scope, files }: Configured, { values, likelySecrets }: Facts): McpServer['setup'] {
  if (!entry.ok) return null;
  const { config } = entry;
  const isTheirs = scope === 'project';
  // Without a keychain only the file keeps values permanently, and a project's file is not the person's to change.
  const canMove = !isTheirs && values.kind === 'keychain';
  const readable = canMove ? openSecrets({ ...config, named: config.secrets }, likelySecrets).length : 0;
  const paths = (files ?? []).map(({ path }) => path);
  return { ...setupOf(config, isTheirs), readable, ...(paths.length > 0 ? { files: paths } : {}) };
}

function stateOf(server: Server | undefined, signing: McpState | undefined): McpState {
  const own = server?.state ?? { phase: 'idle' };
  // A sign-in error is shown as long as the sign-in is required.
  return signing?.phase === 'signingIn' || (signing !== undefined && own.phase === 'signIn') ? signing : own;
}
