import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { startAnthropic } from './anthropic';
import { DEMO_FILES, demoA0 } from './demo-a0';
import { startOpenAI } from './openai';
import type { ProviderServer } from './server';

const PROVIDERS = [
  {
    name: 'Anthropic',
    start: startAnthropic,
    chat: ({ url }: ProviderServer) =>
      new ChatAnthropic({
        model: 'claude-sonnet-4-5',
        apiKey: 'test-key',
        anthropicApiUrl: url,
        maxRetries: 0,
      }),
  },
  ...['gpt-4.1', 'gpt-5-codex'].map((model) => ({
    name: `OpenAI ${model}`,
    start: startOpenAI,
    chat: ({ url }: ProviderServer) =>
      new ChatOpenAI({ model, apiKey: 'test-key', configuration: { baseURL: url }, maxRetries: 0 }),
  })),
];

/** Minimal tools that run the demo for real in `folder`; records the name of each call. */
function tools(folder: string, calls: string[]) {
  return [
    tool(
      ({ command }) => {
        calls.push(`execute ${command}`);
        return `${execFileSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' })}[exit code 0]`;
      },
      { name: 'execute', description: 'Runs a command.', schema: z.object({ command: z.string() }) },
    ),
    tool(
      ({ file_path, content }) => {
        calls.push('write_file');
        writeFileSync(file_path, content);
        return `Wrote ${file_path}`;
      },
      {
        name: 'write_file',
        description: 'Writes a file.',
        schema: z.object({ file_path: z.string(), content: z.string() }),
      },
    ),
    tool(
      ({ path }) => {
        calls.push('ls');
        return readdirSync(path).join('\n');
      },
      { name: 'ls', description: 'Lists a folder.', schema: z.object({ path: z.string() }) },
    ),
    tool(
      ({ file_path }) => {
        calls.push('read_file');
        return readFileSync(file_path, 'utf8');
      },
      {
        name: 'read_file',
        description: 'Reads a file.',
        schema: z.object({ file_path: z.string(), offset: z.number(), limit: z.number() }),
      },
    ),
  ];
}

it.each(PROVIDERS)('runs from an old test_dir to the summary with $name', async ({ start, chat }) => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-a0-'));
  const server = await start(demoA0(folder));
  try {
    execFileSync('sh', ['-c', 'mkdir test_dir && touch test_dir/old'], { cwd: folder });
    const calls: string[] = [];
    const agent = createAgent({ model: chat(server), tools: tools(folder, calls) });
    const { messages } = await agent.invoke({ messages: [new HumanMessage('Run the demo')] });

    expect(calls).toEqual([
      'execute rm -rf test_dir',
      'execute mkdir test_dir',
      'execute cd test_dir && pwd',
      ...Object.keys(DEMO_FILES).map(() => 'write_file'),
      'ls',
      'read_file',
    ]);
    const written = readdirSync(join(folder, 'test_dir')).map((name) => [
      name,
      readFileSync(join(folder, 'test_dir', name), 'utf8'),
    ]);
    expect(Object.fromEntries(written)).toEqual(DEMO_FILES);
    expect(messages.at(-1)?.text).toContain('## Demo finished');
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
