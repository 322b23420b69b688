import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { TRIAL } from '../../mcp/testing/place';
import { SlowModel } from '../testing/slow-model';
import { isIdle, setUp, temp } from '../testing/window';

/** Milliseconds for whole threads on a busy machine. */
const SLOW = 60_000;

const write = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const skill = (name: string, description: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\nDo it.`;
const agent = (description: string) => `---\ndescription: ${description}\n---\nYou do it.`;

async function place() {
  const shipped = temp('skills');
  write(join(shipped, 'review', 'SKILL.md'), skill('review', 'The app reviews.'));
  write(join(shipped, 'tidy', 'SKILL.md'), skill('tidy', 'The app tidies.'));
  const t = await setUp({ skillsFolder: shipped });
  write(join(t.dataDir, 'skills', 'tidy', 'SKILL.md'), skill('tidy', 'Mine tidies.'));
  write(join(t.dataDir, 'agents', 'reader.md'), agent('Reads.'));
  write(join(t.folder, '.deepdesk', 'agents', 'looker.md'), agent('Looks.'));
  write(join(t.folder, '.deepdesk', 'skills', 'ship', 'SKILL.md'), skill('ship', 'Ships.'));
  return t;
}

it(
  'offers built-in commands, agents, skills and server prompts after a slash',
  async () => {
    const t = await place();
    write(
      join(t.dataDir, 'mcp.json'),
      JSON.stringify({
        mcpServers: { trial: { command: process.execPath, args: [TRIAL, 'stdio', 'library'] } },
      }),
    );
    const offered = async () =>
      (await t.window.client.call('composer.commands', { threadId: t.threadId })) as {
        value: { commands: { kind: string; name: string }[]; coming: string[] };
      };
    // The first slash starts the server and names the servers whose prompts are still loading.
    expect((await offered()).value.coming).toEqual(['trial']);
    await expect
      .poll(async () => (await offered()).value.commands.some((one) => one.kind === 'prompt'), {
        timeout: 30_000,
      })
      .toBe(true);
    expect((await offered()).value.coming).toEqual([]);
    expect((await offered()).value.commands).toEqual([
      { kind: 'action', name: 'compact' },
      { kind: 'agent', name: 'reader', description: 'Reads.', source: 'person' },
      { kind: 'agent', name: 'looker', description: 'Looks.', source: 'project' },
      { kind: 'skill', name: 'review', description: 'The app reviews.', source: 'app' },
      { kind: 'skill', name: 'tidy', description: 'Mine tidies.', source: 'person' },
      { kind: 'skill', name: 'ship', description: 'Ships.', source: 'project' },
      {
        kind: 'prompt',
        name: 'trial:review',
        description: 'Reviews a book.',
        serverId: 'person:trial',
        prompt: 'review',
        arguments: [{ name: 'title', description: 'Of the book', required: true }],
      },
    ]);
    expect(
      await t.window.client.call('composer.prompt', {
        projectId: t.projectId,
        serverId: 'person:trial',
        prompt: 'review',
        arguments: { title: 'One' },
      }),
    ).toMatchObject({ ok: true, value: { text: expect.stringContaining('Review One.') as unknown } });
  },
  SLOW,
);

it(
  'offers resources of servers, which can be attached',
  async () => {
    const t = await place();
    const trial = { command: process.execPath, args: [TRIAL, 'stdio', 'library'] };
    write(join(t.dataDir, 'mcp.json'), JSON.stringify({ mcpServers: { trial } }));
    const offered = async () => {
      const answer = await t.window.client.call('composer.resources', { projectId: t.projectId });
      return answer.ok ? answer.value.resources : [];
    };
    await expect.poll(offered, { timeout: 30_000 }).toEqual([
      {
        ...{ serverId: 'person:trial', server: 'trial', uri: 'book://one', name: 'One' },
        description: 'The first book.',
      },
      { serverId: 'person:trial', server: 'trial', uri: 'book://two', name: 'Two', description: '' },
    ]);
    const attach = (uri: string) =>
      t.window.client.call('attachments.resource', { threadId: t.threadId, serverId: 'person:trial', uri });
    const text = await attach('book://one');
    expect(text).toMatchObject({ ok: true, value: { kind: 'text', origin: 'resource', name: 'one.txt' } });
    expect(await attach('book://two')).toMatchObject({ ok: true, value: { kind: 'image', name: 'two.png' } });
    expect(await attach('book://none')).toMatchObject({ ok: false, error: { kind: 'provider' } });
    const { id } = text.ok ? text.value : { id: '' };
    expect(await t.window.client.call('attachments.text', { threadId: t.threadId, id })).toEqual({
      ok: true,
      value: { text: 'Once upon a time.' },
    });
  },
  SLOW,
);

it(
  'offers no compaction in a new thread',
  async () => {
    const t = await place();
    const answer = await t.window.client.call('composer.commands', { projectId: t.projectId });
    expect(answer.ok && answer.value.commands.map((one) => one.name)).toEqual([
      'reader',
      'looker',
      'review',
      'tidy',
      'ship',
    ]);
  },
  SLOW,
);

it(
  'tells the model what a leading skill or agent name means, and keeps the message unchanged',
  async () => {
    const t = await place();
    const model = SlowModel.into(t.host, [['Shipped.'], ['Looked.']]);
    await t.say('/ship version 2');
    await t.window.until((state) => isIdle(state) && model.requests.length === 1);
    const path = join(t.folder, '.deepdesk/skills/ship/SKILL.md');
    expect(model.requests[0]?.at(-1)?.text).toBe(
      `/ship version 2\n\n[The person asks for the skill ship: read ${path} first, unless you have read it in this conversation, and follow it for what they wrote after its name.]`,
    );
    await t.say('/looker at everything');
    const state = await t.window.until((one) => isIdle(one) && model.requests.length === 2);
    const said = model.requests[1]?.filter((one) => one.type === 'human').map((one) => one.text);
    expect(said?.[0]).toBe(model.requests[0]?.at(-1)?.text);
    expect(said?.[1]).toContain('[The person asks for the sub-agent looker:');
    expect(state.messages.flatMap((one) => (one.role === 'user' ? [one.text] : []))).toEqual([
      '/ship version 2',
      '/looker at everything',
    ]);
  },
  SLOW,
);
