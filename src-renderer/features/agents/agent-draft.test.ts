import { RemoteAgentInfo } from '@contract/agents';
import { ProjectId } from '@contract/ids';
import { expect, it } from 'vitest';
import { ALL_PROJECTS } from '../../link';
import { draftOf, isOpenToOthers, textOfAgent } from './agent-draft';

it.each([
  ['http://localhost:2024', false],
  ['127.0.0.1:2024', false],
  ['http://127.1', false],
  ['http://[::1]:2024', false],
  ['https://agents.example.com', false],
  ['http://agents.example.com', true],
  ['http://localhost.example.com', true],
  ['http://127.example.com', true],
  ['', false],
])('tells whether others could read what is sent to “%s”: %s', (address, isOpen) => {
  expect(isOpenToOthers(address)).toBe(isOpen);
});

it('keeps an agent of a removed project for that project alone', () => {
  const projectId = ProjectId.parse('gone');
  const agent = RemoteAgentInfo.parse({
    ...{ id: 'a1', name: 'researcher', description: 'Researches.', graph: 'agent', createdAt: 0 },
    ...{ address: 'https://agents.example.com', header: 'x-api-key', projectId, hasSecret: false },
  });
  expect(draftOf(textOfAgent(agent))).toMatchObject({ draft: { projectId } });
  expect(draftOf({ ...textOfAgent(agent), scope: ALL_PROJECTS })).toMatchObject({
    draft: { projectId: null },
  });
});
