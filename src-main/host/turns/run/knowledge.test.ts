import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { english } from '../../../../src-renderer/i18n/english';
import { standardTime } from '../../../base/testing/processor-time';
import type { Project } from '../../../contract/app';
import { ProjectId } from '../../../contract/ids';
import { fail, ok } from '../../../contract/result';
import { listSkills } from '../../../harness/agent/knowledge/list-skills';
import { loadMemory } from '../../../harness/agent/knowledge/memory-files';
import { ScriptedModel } from '../../../harness/agent/testing/scripted-model';
import { CompositeBackend, PermissionRules, StateBackend } from '../../../harness/backends';
import { FilesystemBackend } from '../../../harness/backends/filesystem';
import { temp } from '../../testing/window';
import { instructionsOf, subAgentsOf } from './knowledge';

const projectAt = (folder: string): Project => ({
  id: ProjectId.parse('p'),
  name: 'p',
  folder,
  mount: folder,
  isSample: false,
  openedAt: 0,
  missing: false,
});

const write = (path: string, text: string) => {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
};

/** The found instructions by path, the most general first. */
async function found(folder: string, home: string): Promise<Record<string, string>> {
  const nothing = new FilesystemBackend({ rootDir: temp('empty') });
  return loadMemory(nothing, await instructionsOf(projectAt(folder), home), () => undefined);
}

describe('AGENTS.md', () => {
  it("is read from the folder and its parents up to the person's home", async () => {
    const home = temp('home');
    const folder = join(home, 'work', 'project');
    write(join(folder, 'AGENTS.md'), 'project');
    write(join(home, 'work', 'AGENTS.md'), 'work');
    write(join(home, 'AGENTS.md'), 'home');
    write(join(home, '..', 'AGENTS.md'), 'outside');
    expect(Object.entries(await found(folder, home))).toEqual([
      [join(home, 'AGENTS.md'), 'home'],
      [join(home, 'work', 'AGENTS.md'), 'work'],
      [join(folder, 'AGENTS.md'), 'project'],
    ]);
  });

  it('is read without its comments, as quickly if they never end', async () => {
    const folder = temp('folder');
    write(join(folder, 'AGENTS.md'), '<!-- For people. -->Use tabs.<!---->\n<!-- No end.');
    expect(Object.values(await found(folder, temp('home')))).toEqual(['Use tabs.\n<!-- No end.']);
    write(join(folder, 'AGENTS.md'), '<!--'.repeat(60_000));
    expect(await standardTime(() => found(folder, folder))).toBeLessThan(500);
  });

  it('is read up to the root of the repository and no further, also outside home', async () => {
    const outside = temp('outside');
    const folder = join(outside, 'repository', 'packages', 'one');
    write(join(folder, 'AGENTS.md'), 'one');
    write(join(outside, 'repository', 'AGENTS.md'), 'repository');
    write(join(outside, 'AGENTS.md'), 'outside');
    expect(Object.values(await found(folder, temp('home')))).toEqual(['one']);
    execFileSync('git', ['init', '--quiet', join(outside, 'repository')]);
    expect(Object.values(await found(folder, temp('home')))).toEqual(['repository', 'one']);
  });

  it('is not read through links that lead out or to possible secrets, or from a pipe', async () => {
    const home = temp('home');
    const elsewhere = temp('elsewhere');
    write(join(elsewhere, 'private'), 'private');
    const cases: Record<string, (path: string, folder: string) => void> = {
      link: (path) => symlinkSync(join(elsewhere, 'private'), path),
      secret: (path, folder) => {
        write(join(folder, '.env'), 'KEY=1');
        symlinkSync(join(folder, '.env'), path);
      },
      pipe: (path) => void execFileSync('mkfifo', [path]),
      binary: (path) => writeFileSync(path, new Uint8Array([1, 0, 2])),
      inside: (path, folder) => {
        write(join(folder, 'CLAUDE.md'), 'claude');
        symlinkSync('CLAUDE.md', path);
      },
    };
    const seen: Record<string, string[]> = {};
    for (const [name, make] of Object.entries(cases)) {
      const folder = join(home, name);
      mkdirSync(folder);
      make(join(folder, 'AGENTS.md'), folder);
      seen[name] = Object.values(await found(folder, temp('other-home')));
    }
    expect(seen).toEqual({ link: [], secret: [], pipe: [], binary: [], inside: ['claude'] });
  });
});

describe('sub-agents from files', () => {
  const agent = (more: string, prompt = 'Review it.') =>
    `---\ndescription: Reviews.\n${more}---\n${prompt}\n`;
  const model = new ScriptedModel(() => ({}));
  const setUp = async (files: Record<string, string>, mount = '/mount') => {
    const folder = temp('folder');
    const personal = temp('personal');
    for (const [path, text] of Object.entries(files))
      write(
        join(
          path.startsWith('project/') ? join(folder, '.deepdesk/agents') : personal,
          path.split('/')[1] ?? '',
        ),
        text,
      );
    const warnings: string[] = [];
    const agents = await subAgentsOf({
      project: { ...projectAt(folder), mount },
      backend: new CompositeBackend(
        new StateBackend({ files: { read: () => ({}), send: () => undefined } }),
        {
          [`${mount}/`]: new FilesystemBackend({ rootDir: folder }),
        },
      ),
      personal,
      places: ['/team'],
      model: 'offline:other',
      modelOf: async (name) =>
        name === 'offline:guide'
          ? ok({ chat: model })
          : fail('no_key', 'external', { text: 'There is no key.' }),
      warn: (why) => warnings.push(english.sentences([why])),
    });
    return { agents, warnings };
  };

  it("have the model, tools, rules and prompt from their file; the project's override the person's", async () => {
    const { agents, warnings } = await setUp({
      'personal/reviewer.md': agent('', "The person's."),
      'personal/helper.md': agent('', 'Help.'),
      'project/reviewer.md': agent(
        'model: offline:guide\ntools: [read_file, grep]\npermissions:\n  - operations: [write]\n    paths: [/**]\n    mode: deny\n',
      ),
    });
    expect(warnings).toEqual([]);
    expect(agents.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
      {
        name: 'helper',
        description: 'Reviews.',
        systemPrompt: 'Help.',
        file: { path: '/agents/personal/helper.md', permissionsLine: 1 },
      },
      {
        name: 'reviewer',
        description: 'Reviews.',
        systemPrompt: 'Review it.',
        model,
        toolNames: ['read_file', 'grep'],
        permissions: [{ operations: ['write'], paths: ['/**', '/mount/**'], mode: 'deny', ignoreCase: true }],
        file: { path: expect.stringMatching(/reviewer\.md$/), permissionsLine: 5 },
      },
    ]);
  });

  it('have rules about paths in the project, wherever it is, and about those of places and memories', async () => {
    const mount = '/home/~my [own]';
    const { agents, warnings } = await setUp(
      {
        'project/ruled.md': agent(
          'permissions:\n  - operations: [read]\n    paths: [/secrets/**, /skills/**, /team/b/**, /memories/**]\n    mode: deny\n',
        ),
      },
      mount,
    );
    expect(warnings).toEqual([]);
    const rules = new PermissionRules(agents[0]?.permissions ?? []);
    const modeOf = (path: string) => rules.judge('read', path).mode;
    for (const path of [
      `${mount}/secrets/a`,
      `${mount}/Secrets/a`,
      `${mount}/skills/a`,
      '/team/b/a',
      '/memories/a',
    ])
      expect([path, modeOf(path)]).toEqual([path, 'deny']);
    for (const path of [`${mount}/team/b/a`, `${mount}/memories/a`, `${mount}/a`, '/team/a'])
      expect([path, modeOf(path)]).toEqual([path, 'allow']);
  });

  it('are skipped and named if their model cannot be used', async () => {
    const { agents, warnings } = await setUp({ 'personal/far.md': agent('model: anthropic:claude-x\n') });
    expect(agents).toEqual([]);
    expect(warnings).toEqual(['The agent in /agents/personal/far.md was left out: There is no key.']);
  });

  it("get the thread's model if the folder's file names one of another provider", async () => {
    const { agents, warnings } = await setUp({
      'project/far.md': agent('model: anthropic:claude-x\n'),
      'personal/near.md': agent('model: offline:guide\n'),
    });
    expect(agents.map((one) => [one.name, one.model])).toEqual([
      ['near', model],
      ['far', undefined],
    ]);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^\/mount\/\.deepdesk\/agents\/far\.md asks for anthropic:claude-x, whose provider is not/,
      ),
    ]);
  });

  it('stay if they name tools that do not exist, which a warning lists', async () => {
    const { agents, warnings } = await setUp({
      'project/copied.md': agent('tools: Read, grep, github__search, Bash\n'),
    });
    expect(agents.map(({ toolNames }) => toolNames)).toEqual([['Read', 'grep', 'github__search', 'Bash']]);
    expect(warnings).toEqual(['/mount/.deepdesk/agents/copied.md: there are no such tools: Read, Bash.']);
  });
});

describe('the bundled skills', () => {
  it('all load without a warning', async () => {
    const backend = new FilesystemBackend({
      rootDir: join(import.meta.dirname, '../../../../resources/skills'),
    });
    const { skills, warnings } = await listSkills(backend, ['/']);
    expect(warnings).toEqual([]);
    expect(skills.map((skill) => skill.name).sort()).toEqual(['commit-message', 'project-guide']);
  });
});
