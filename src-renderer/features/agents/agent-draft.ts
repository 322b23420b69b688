import { RemoteAgentDraft, type RemoteAgentInfo } from '@contract/agents';
import type { ErrorCode } from '@contract/errors';
import { ALL_PROJECTS, projectOf } from '../../link';
import { fieldsByCode, withScheme } from '../../ui';

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

/** A field of the form. */
export type AgentField = 'name' | 'description' | 'address' | 'graph';

const MISSING = {
  name: 'agents.missingName',
  description: 'agents.missingPurpose',
  address: 'agents.missingAddress',
  graph: 'agents.missingGraph',
} as const satisfies Record<AgentField, string>;

interface Wrong {
  field: AgentField;
  why: (typeof MISSING)[AgentField] | 'agents.wrongName' | 'agents.wrongAddress';
}

/** The fields that errors of the main process are about. */
const FIELDS = {
  remote_agent_name_taken: 'name',
  remote_agent_address: 'address',
  remote_agent_none: 'graph',
} as const satisfies Partial<Record<ErrorCode, AgentField>>;

export const fieldOf = fieldsByCode(FIELDS);

/** The agent, or what is wrong. */
export function draftOf({ scope, ...text }: AgentText): { draft: RemoteAgentDraft } | { wrong: Wrong } {
  const [name, description, graph] = [text.name.trim(), text.description.trim(), text.graph.trim()];
  const address = withScheme(text.address.trim());
  const fields = { name, description, address, graph };
  for (const field of ['name', 'description', 'address', 'graph'] as const)
    if (fields[field] === '') return { wrong: { field, why: MISSING[field] } };
  const { shape } = RemoteAgentDraft;
  if (!shape.name.safeParse(name).success) return { wrong: { field: 'name', why: 'agents.wrongName' } };
  if (!shape.address.safeParse(address).success)
    return { wrong: { field: 'address', why: 'agents.wrongAddress' } };
  return { draft: { ...fields, header: text.header, projectId: projectOf(scope) } };
}

/** Whether others on the network could read what is sent to an address: HTTP to another computer. */
export function isOpenToOthers(address: string): boolean {
  const whole = withScheme(address.trim());
  if (!URL.canParse(whole)) return false;
  const { protocol, hostname } = new URL(whole);
  return protocol === 'http:' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
