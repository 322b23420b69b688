import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { HumanMessage } from '@langchain/core/messages';
import { createAgent } from 'langchain';
import { describe, expect, it, onTestFinished } from 'vitest';
import { optional } from '../../../contract/shared/optional';
import * as ours from '../../index';
import { ScriptedModel } from '../testing/scripted-model';

function settingsIn(files: Record<string, string>): ours.Settings {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-memory-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return {
    ...ours.createSettings({ startPath: root }),
    projectRoot: root,
    getAgentDir: (name) => join(root, 'home', name),
    getUserAgentMdPath: (name) => join(root, 'home', name, 'agent.md'),
    getProjectAgentMdPath: () => join(root, '.deepagents/agent.md'),
  };
}

// The published package reads no file with this version of LangChain, because each key of the state is there from the start.
describe('createAgentMemoryMiddleware', () => {
  async function promptWith(settings: ours.Settings, systemPromptTemplate?: string) {
    const model = new ScriptedModel(() => ({ text: 'Done.' }));
    const memory = ours.createAgentMemoryMiddleware({
      settings,
      assistantId: 'coder',
      ...optional({ systemPromptTemplate }),
    });
    await createAgent({ model, systemPrompt: 'You code.', middleware: [memory] }).invoke({
      messages: [new HumanMessage('go')],
    });
    return model.requests[0]?.[0]?.text ?? '';
  }

  it('puts both files before the prompt, and where they are after it', async () => {
    const settings = settingsIn({
      'home/coder/agent.md': 'Be $& brief.',
      '.deepagents/agent.md': 'Use tabs.',
    });
    const prompt = await promptWith(settings);
    const parts = ['Be ', 'Use tabs.', 'You code.', settings.getAgentDir('coder')];
    const at = parts.map((part) => prompt.indexOf(part));
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(at).not.toContain(-1);
  });

  it('says which file is missing, in a template', async () => {
    const prompt = await promptWith(
      settingsIn({ '.deepagents/agent.md': 'Use tabs.' }),
      'U={user_memory} P={project_memory}',
    );
    expect(prompt).toContain('U=(No user agent.md) P=Use tabs.');
  });
});
