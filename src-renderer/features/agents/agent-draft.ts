import { RemoteAgentDraft, type RemoteAgentInfo } from '@contract/agents';
import type { Project } from '@contract/app';
import { withScheme } from '../../ui';

/** The scope of an agent that every project has. */
export const ALL_PROJECTS = 'all';

/** A remote agent as it is typed. */
export interface AgentText {
  name: string;
  description: string;
  address: string;
  graph: string;
  header: RemoteAgentDraft['header'];
  scope: string;
}

export const textOfAgent = (agent: RemoteAgentInfo | null): AgentText => ({
  name: agent?.name ?? '',
  description: agent?.description ?? '',
  address: agent?.address ?? '',
  graph: agent?.graph ?? '',
  header: agent?.header ?? 'x-api-key',
  scope: agent?.projectId ?? ALL_PROJECTS,
});

export type Wrong = 'agents.missing' | 'agents.wrongName' | 'agents.wrongAddress';

/** The agent, or the message about what is wrong. */
export function draftOf(
  { scope, ...text }: AgentText,
  projects: readonly Project[],
): { draft: RemoteAgentDraft } | { wrong: Wrong } {
  const [name, description, graph] = [text.name.trim(), text.description.trim(), text.graph.trim()];
  const address = withScheme(text.address.trim());
  if ([name, description, address, graph].includes('')) return { wrong: 'agents.missing' };
  const { shape } = RemoteAgentDraft;
  if (!shape.name.safeParse(name).success) return { wrong: 'agents.wrongName' };
  if (!shape.address.safeParse(address).success) return { wrong: 'agents.wrongAddress' };
  const projectId = projects.find(({ id }) => id === scope)?.id ?? null;
  return { draft: { name, description, address, graph, header: text.header, projectId } };
}

/** Whether others on the network could read what is sent to an address: HTTP to another computer. */
export function isOpenToOthers(address: string): boolean {
  const whole = withScheme(address.trim());
  if (!URL.canParse(whole)) return false;
  const { protocol, hostname } = new URL(whole);
  return protocol === 'http:' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
