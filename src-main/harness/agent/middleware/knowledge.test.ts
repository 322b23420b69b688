import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { type AgentMiddleware, createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { english } from '../../../../src-renderer/i18n/english';
import type { FileData } from '../../backends/protocol';
import { StateBackend } from '../../backends/state';
import { listSkills } from '../knowledge/list-skills';
import { ScriptedModel } from '../testing/scripted-model';
import { createMemoryMiddleware } from './memory';
import { createSkillsMiddleware } from './skills';

/** Files that a test can change. */
function folder(initial: Record<string, string>) {
  let files: Record<string, FileData> = {};
  const backend = new StateBackend({
    files: {
      read: () => files,
      send: (update) => {
        files = Object.fromEntries(
          Object.entries({ ...files, ...update }).filter(([, data]) => data !== null),
        ) as Record<string, FileData>;
      },
    },
  });
  return {
    backend,
    ready: (async () => {
      for (const [path, text] of Object.entries(initial)) await backend.write(path, text);
    })(),
  };
}

function agentWith(...middleware: AgentMiddleware[]) {
  const model = new ScriptedModel(() => ({ text: 'ok' }));
  const agent = createAgent({ model, systemPrompt: 'Base.', middleware, checkpointer: new MemorySaver() });
  const say = (text: string, thread = 'one') =>
    agent.invoke({ messages: [new HumanMessage(text)] }, { configurable: { thread_id: thread } });
  const last = (): { prompt: string; messages: BaseMessage[] } => {
    const [system, ...messages] = model.requests.at(-1) ?? [];
    return { prompt: system?.text ?? '', messages };
  };
  return { say, last };
}

const memory = (text: string) => `\n\n<agent_memory>\n${text}\n</agent_memory>`;
const skill = (name: string, description: string, more = '') =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\n\n# Do it\n`;

describe('memory files', () => {
  it('may be missing without an error [H55]', async () => {
    const { backend, ready } = folder({});
    await ready;
    const warnings: string[] = [];
    const sources = ['/none/AGENTS.md'];
    const agent = agentWith(
      createMemoryMiddleware({ backend, sources, warn: (why) => warnings.push(english.sentences([why])) }),
    );
    await agent.say('hello');
    expect([agent.last().prompt.includes('/none/AGENTS.md\n'), warnings]).toEqual([false, []]);
  });

  it('are added to the end of the prompt in order, without comments, and a missing one is skipped', async () => {
    const { backend, ready } = folder({
      '/AGENTS.md': 'Use tabs.<!-- for people -->',
      '/memories/AGENTS.md': 'Be short.',
    });
    await ready;
    const warnings: string[] = [];
    const sources = [
      '/none/AGENTS.md',
      '/memories/AGENTS.md',
      { path: '/home/AGENTS.md', load: async () => 'Be kind.' },
      '/AGENTS.md',
    ];
    const agent = agentWith(
      createMemoryMiddleware({ backend, sources, warn: (why) => warnings.push(english.sentences([why])) }),
    );
    await agent.say('hello');
    const { prompt } = agent.last();
    expect(prompt.startsWith('Base.\n\n')).toBe(true);
    expect(
      prompt.endsWith(
        memory('/memories/AGENTS.md\nBe short.\n\n/home/AGENTS.md\nBe kind.\n\n/AGENTS.md\nUse tabs.'),
      ),
    ).toBe(true);
    expect(warnings).toEqual([]);
  });

  it('are announced in a message when they change between turns, and the prompt stays unchanged', async () => {
    const { backend, ready } = folder({ '/AGENTS.md': 'Use tabs.', '/b.md': 'B.' });
    await ready;
    const agent = agentWith(
      createMemoryMiddleware({ backend, sources: ['/AGENTS.md', '/b.md'], noteFrom: 'Notes "2"' }),
    );
    await agent.say('one');
    const before = agent.last().prompt;
    await backend.write('/AGENTS.md', 'Use spaces.');
    await backend.delete('/b.md');
    await agent.say('two');
    await agent.say('three');
    const { prompt, messages } = agent.last();
    expect(prompt).toBe(before);
    expect(
      messages
        .filter((message) => message.additional_kwargs.lc_source === 'memory')
        .map((message) => message.text),
    ).toEqual([
      '<note from="Notes \\"2\\"">\n/AGENTS.md changed. It now says:\n\nUse spaces.\n\n/b.md was deleted: its instructions no longer apply.\n</note>',
    ]);
  });

  it('are read again for each thread', async () => {
    const { backend, ready } = folder({ '/AGENTS.md': 'Use tabs.' });
    await ready;
    const agent = agentWith(createMemoryMiddleware({ backend, sources: ['/AGENTS.md'] }));
    await agent.say('one', 'first');
    await backend.write('/AGENTS.md', 'Use spaces.');
    await agent.say('one', 'second');
    expect(agent.last().prompt.endsWith(memory('/AGENTS.md\nUse spaces.'))).toBe(true);
  });

  it('are cut if huge, with a pointer to the rest; a binary one is named', async () => {
    const { backend, ready } = folder({ '/AGENTS.md': 'x'.repeat(50_000) });
    await ready;
    await backend.uploadFiles([['/bad.md', new Uint8Array([0, 1, 2])]]);
    const warnings: string[] = [];
    const agent = agentWith(
      createMemoryMiddleware({
        backend,
        sources: ['/AGENTS.md', '/bad.md'],
        warn: (why) => warnings.push(english.sentences([why])),
      }),
    );
    await agent.say('one');
    expect(agent.last().prompt).toContain(
      '... [10000 more characters in /AGENTS.md: read them with read_file]',
    );
    expect(warnings).toEqual(['/bad.md was not loaded: it is not text.']);
  });
});

describe('skills', () => {
  it('are named with their purpose and path, without their text', async () => {
    const { backend, ready } = folder({
      '/skills/release-notes/SKILL.md': skill(
        'release-notes',
        'Write release notes.',
        'license: MIT\nallowed-tools: read_file, grep\n',
      ),
      '/skills/release-notes/example.md': 'example',
      '/skills/empty/readme.md': 'no skill',
    });
    await ready;
    const agent = agentWith(createSkillsMiddleware({ backend, sources: ['/skills/'] }));
    await agent.say('hello');
    const { prompt } = agent.last();
    expect(prompt).toContain(
      '- release-notes: Write release notes. (license: MIT; tools: read_file, grep)\n  /skills/release-notes/SKILL.md',
    );
    expect(prompt).not.toContain('# Do it');
  });

  it("the last one of a name wins, and a single skill's folder is a valid source [H54]", async () => {
    const { backend, ready } = folder({
      '/app/tidy/SKILL.md': skill('tidy', "The app's."),
      '/project/tidy/SKILL.md': skill('tidy', "The project's."),
    });
    await ready;
    const agent = agentWith(createSkillsMiddleware({ backend, sources: ['/app', '/project/tidy'] }));
    await agent.say('hello');
    expect(agent.last().prompt).toContain("- tidy: The project's.\n  /project/tidy/SKILL.md");
    expect(agent.last().prompt).not.toContain("The app's.");
  });

  it('have a hint where to create them if there are none', async () => {
    const { backend } = folder({});
    const agent = agentWith(createSkillsMiddleware({ backend, sources: ['/a', '/b'] }));
    await agent.say('hello');
    expect(agent.last().prompt).toContain('(No skills available yet. You can create skills in /a or /b)');
  });

  it('are skipped and named if they cannot be used', async () => {
    const { backend, ready } = folder({
      '/s/none/SKILL.md': '# no frontmatter',
      '/s/bad/SKILL.md': '---\nname: [\n---\n',
      '/s/bomb/SKILL.md': '---\na: &a [x, x]\nb: &b [*a, *a]\nname: bomb\ndescription: d\n---\n',
      '/s/nameless/SKILL.md': '---\ndescription: d\n---\n',
      '/s/other/SKILL.md': skill('Other Name', 'd'.repeat(2_000)),
    });
    await ready;
    const warnings: string[] = [];
    const agent = agentWith(
      createSkillsMiddleware({
        backend,
        sources: ['/s'],
        warn: (why) => warnings.push(english.sentences([why])),
      }),
    );
    await agent.say('hello');
    expect(warnings.toSorted()).toEqual([
      '/s/bad/SKILL.md was left out: its front matter is not YAML: there is an error in line 2, column 8.',
      '/s/bomb/SKILL.md was left out: its front matter is not YAML: it uses aliases, which are not allowed here.',
      '/s/nameless/SKILL.md was left out: its front matter needs a name and a description.',
      '/s/none/SKILL.md was left out: it does not start with front matter between two lines of ---.',
      '/s/other/SKILL.md: the description was cut at 1,024 characters.',
      '/s/other/SKILL.md: the name "Other Name" should be at most 64 lower-case letters, digits and single hyphens.',
      '/s/other/SKILL.md: the name "Other Name" should be that of its folder, "other".',
    ]);
    expect(agent.last().prompt).toContain(`- Other Name: ${'d'.repeat(1_024)}\n`);
  });

  it('beyond 500 in a source are left out, with a warning', async () => {
    const { backend, ready } = folder(
      Object.fromEntries(
        Array.from({ length: 501 }, (_, index) => [`/s/s${index}/SKILL.md`, skill(`s${index}`, 'd')]),
      ),
    );
    await ready;
    const { skills, warnings } = await listSkills(backend, ['/s']);
    expect(skills).toHaveLength(500);
    expect(english.sentences(warnings)).toBe(
      'Only the first 500 folders in /s/ can be skills. The others were left out.',
    );
  });

  it('are announced in a message when new, and the prompt stays unchanged', async () => {
    const { backend } = folder({});
    const agent = agentWith(createSkillsMiddleware({ backend, sources: ['/s'] }));
    await agent.say('one');
    const before = agent.last().prompt;
    await backend.write('/s/new/SKILL.md', skill('new', 'Brand new.'));
    await agent.say('two');
    const { prompt, messages } = agent.last();
    expect(prompt).toBe(before);
    expect(messages.at(-1)?.text).toBe(
      '<note>\nNew or changed skills:\n- new: Brand new.\n  /s/new/SKILL.md\n</note>',
    );
  });
});
