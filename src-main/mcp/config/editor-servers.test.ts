import { expect, it, vi } from 'vitest';
import { alive, callTool, place, TRIAL, trial } from '../testing/place';
import type { EditorServer } from './editor-servers';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const server = (name: string, more: Partial<EditorServer> = {}): EditorServer => ({
  name,
  transport: 'stdio',
  command: process.execPath,
  args: [TRIAL, 'stdio'],
  url: '',
  secrets: {},
  ...more,
});

it('offers the servers of an open session with their texts unchanged, and stops them after it', async () => {
  const t = place({});
  const literal = `\${HOME} stays`;
  t.mcp.openSession('s1', t.project.id, [server('docs', { secrets: { TRIAL_TEXT: literal } })]);
  expect(await t.mcp.hasNone(t.project)).toBe(false);
  expect(await t.call('docs__env', { name: 'TRIAL_TEXT' })).toMatchObject({ content: literal });
  const seconds = `9.${Math.floor(Math.random() * 1e9)}`;
  await t.call('docs__child', { seconds });
  const soon = { timeout: 20_000, interval: 20 };
  await vi.waitFor(() => expect(alive(`sleep ${seconds}`).length).toBeGreaterThan(0), soon);
  await t.mcp.closeSession('s1', t.project);
  expect(await t.tools()).toEqual([]);
  expect(alive(seconds)).toEqual([]);
});

it('asks for nothing in the settings, and identifies a server by what it is', async () => {
  const t = place({});
  t.mcp.openSession('s1', t.project.id, [server('docs')]);
  const [first] = await t.tools();
  t.mcp.openSession('s2', t.project.id, [server('docs')]);
  await t.mcp.closeSession('s1', t.project);
  const [second] = await t.tools();
  expect([second?.scope, second?.serverIdentity]).toEqual(['project', first?.serverIdentity]);
  t.mcp.openSession('s2', t.project.id, [server('docs', { args: [TRIAL, 'stdio', 'library'] })]);
  const [other] = await t.tools();
  expect(other?.serverIdentity).not.toBe(first?.serverIdentity);
  expect(t.waiting).toEqual([]);
});

it('prefers a server of the same name that the person set up in Deepdesk', async () => {
  const t = place({ docs: trial() });
  t.mcp.openSession('s1', t.project.id, [server('docs', { args: [TRIAL, 'stdio', 'library'] })]);
  const tools = await t.tools();
  const echo = tools.find(({ tool }) => tool.name === 'docs__echo');
  expect(echo?.scope).toBe('person');
  expect(echo && (await callTool(echo.tool, { text: 'hi' }))).toMatchObject({ content: 'hi' });
});
