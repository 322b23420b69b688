import { randomUUID } from 'node:crypto';
import type { Client } from '@langchain/langgraph-sdk';
import { guardedFetch } from '../../base/network/guarded-fetch';
import { pastedKey } from '../../base/pasted-key';
import {
  type RemoteAgent,
  type RemoteAgentDraft,
  type RemoteAgentInfo,
  serverOfAgent,
} from '../../contract/agents';
import type { Project } from '../../contract/app';
import { type ProjectId, RemoteAgentId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import type { AsyncSubAgent } from '../../harness';
import type { Storage } from '../../storage';
import type { Hub } from '../window/hub';
import type { KeptSecrets } from '../window/kept-secrets';
import { failureOf } from './server-failure';

/** Milliseconds that a removed agent can be restored. */
const KEPT = 24 * 3_600_000;
/** Milliseconds for one request. */
const REQUEST_LIMIT = 20_000;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface RemoteAgentsOptions {
  storage: Storage;
  hub: Hub;
  secrets: KeptSecrets;
  env: NodeJS.ProcessEnv;
}

/** The agents on LangGraph servers that the person has added. */
export class RemoteAgents {
  constructor(private readonly options: RemoteAgentsOptions) {
    const { storage, secrets } = options;
    for (const id of storage.remoteAgents.forget(Date.now() - KEPT)) secrets.remove(id);
  }

  get hasKeychain(): boolean {
    return this.options.secrets.kind === 'keychain';
  }

  /** Null: of every project. */
  list(projectId: ProjectId | null): RemoteAgentInfo[] {
    return this.all()
      .filter((agent) => projectId === null || isIn(agent, projectId))
      .map((agent) => ({ ...agent, hasSecret: this.options.secrets.get(agent.id) !== null }));
  }

  /** The agents of a project, as the harness takes them. They hold no key: `clientOf` adds it. */
  specsOf({ id }: Pick<Project, 'id'>): AsyncSubAgent[] {
    return this.list(id).map(({ name, description, graph, address }) => ({
      name,
      description,
      graphId: graph,
      url: address,
    }));
  }

  named({ id }: Pick<Project, 'id'>, name: string): RemoteAgent | null {
    return this.list(id).find((agent) => agent.name === name) ?? null;
  }

  /** Looks for the agent on its server. A stored key goes only to the server it belongs to. */
  async test(
    draft: RemoteAgentDraft,
    secret: string | null,
    id: RemoteAgentId | null,
    signal: AbortSignal,
  ): Promise<Result<Record<string, never>>> {
    const known = id === null ? undefined : this.all().find((agent) => agent.id === id);
    const isSame = known !== undefined && serverOfAgent(known) === serverOfAgent(draft);
    const key = secret ?? (isSame ? this.secretOf(known) : null);
    const { graph } = draft;
    try {
      const client = await clientFor(draft, key);
      const found = ID.test(graph)
        ? [await client.assistants.get(graph, { signal })]
        : await client.assistants.search({ graphId: graph, limit: 1, signal });
      const host = new URL(draft.address).host;
      return found.length === 0 ? fail('not_found', 'remote_agent_none', { graph, host }) : ok({});
    } catch (error) {
      signal.throwIfAborted();
      return failureOf(error, draft);
    }
  }

  /** Errors: `conflict` if the name is taken, `invalid` if the address cannot be used. */
  validate(
    { name, address, projectId }: RemoteAgentDraft,
    id: RemoteAgentId | null,
  ): Result<Record<string, never>> {
    if (!URL.canParse(address)) return fail('invalid', 'remote_agent_address');
    const taken = this.all().some(
      (one) =>
        one.id !== id &&
        one.name.toLowerCase() === name.toLowerCase() &&
        (one.projectId === null || projectId === null || one.projectId === projectId),
    );
    return taken ? fail('conflict', 'remote_agent_name_taken', { name }) : ok({});
  }

  add(draft: RemoteAgentDraft, secret: string | null): Result<{ id: RemoteAgentId }> {
    const valid = this.validate(draft, null);
    if (!valid.ok) return valid;
    const id = RemoteAgentId.parse(randomUUID());
    this.save({ ...draft, id, createdAt: Date.now() }, secret);
    return ok({ id });
  }

  edit(id: RemoteAgentId, draft: RemoteAgentDraft, secret: string | null): Result<Record<string, never>> {
    const known = this.all().find((agent) => agent.id === id);
    if (known === undefined) return fail('not_found', 'remote_agent_gone');
    const valid = this.validate(draft, id);
    if (!valid.ok) return valid;
    // The stored key belongs to the old server.
    if (serverOfAgent(known) !== serverOfAgent(draft) && secret === null) this.options.secrets.remove(id);
    this.save({ ...known, ...draft }, secret);
    return ok({});
  }

  remove(id: RemoteAgentId): Result<Record<string, never>> {
    if (!this.options.storage.remoteAgents.remove(id, Date.now()))
      return fail('not_found', 'remote_agent_gone');
    this.changed();
    return ok({});
  }

  restore(id: RemoteAgentId): Result<Record<string, never>> {
    const { remoteAgents } = this.options.storage;
    const agent = remoteAgents.removed(id);
    if (agent === null) return fail('not_found', 'remote_agent_gone');
    const valid = this.validate(agent, id);
    if (!valid.ok) return valid;
    remoteAgents.restore(id);
    this.changed();
    return ok({});
  }

  clientOf(agent: RemoteAgent): Promise<Client> {
    return clientFor(agent, this.secretOf(agent));
  }

  /** What prepared runs depend on. */
  stamp(project: Pick<Project, 'id'>): string {
    return JSON.stringify(this.list(project.id));
  }

  private all(): readonly RemoteAgent[] {
    return this.options.storage.remoteAgents.list();
  }

  /** Without a keychain, as in the headless command, the key of `my-bot` can also be in `DEEPDESK_AGENT_MY_BOT`. */
  private secretOf({ id, name }: RemoteAgent): string | null {
    const { secrets, env } = this.options;
    const variable = `DEEPDESK_AGENT_${name.replaceAll('-', '_').toUpperCase()}`;
    return secrets.get(id) ?? (this.hasKeychain ? null : (env[variable] ?? null));
  }

  private save(agent: RemoteAgent, secret: string | null): void {
    const { storage, secrets } = this.options;
    storage.remoteAgents.save(agent);
    if (secret !== null) secrets.set(agent.id, pastedKey(secret));
    this.changed();
  }

  private changed(): void {
    this.options.hub.app({ type: 'agents.changed' });
  }
}

const isIn = (agent: RemoteAgent, projectId: ProjectId): boolean =>
  agent.projectId === null || agent.projectId === projectId;

/** Everything is set here, so that the environment decides neither who is asked nor with which key. */
async function clientFor(
  { address, header }: Pick<RemoteAgentDraft, 'address' | 'header'>,
  key: string | null,
): Promise<Client> {
  // The client loads with the first remote agent.
  const { Client } = await import('@langchain/langgraph-sdk');
  const sent = key === null ? null : pastedKey(key);
  const value = header === 'authorization' ? `Bearer ${sent}` : `${sent}`;
  return new Client({
    apiUrl: address.replace(/\/+$/, ''),
    apiKey: null,
    defaultHeaders: { 'x-auth-scheme': 'langsmith', ...(sent === null ? {} : { [header]: value }) },
    timeoutMs: REQUEST_LIMIT,
    // A followed redirect would carry the key to another server.
    callerOptions: { maxRetries: 0, fetch: guardedFetch },
  });
}
