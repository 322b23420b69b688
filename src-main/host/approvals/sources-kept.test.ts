import { describe, expect, it } from 'vitest';
import type { Gate } from '../../approvals/gate';
import { because } from '../../contract/shared/reasons';
import type { TurnTool } from '../../mcp/tools/turn-tool';
import { gateOfMcp } from '../settings/mcp';
import { gateByPaths } from './permission-gate';

const HOLDS = because('thread_holds_page', { name: 'docs.example.org' });
const signal = new AbortController().signal;

/** Asks because of a source, and for another reason. */
const asking: Gate = {
  judge: async () => ({
    verdict: 'ask',
    question: {
      preview: { kind: 'arguments', json: '{}' },
      reason: [HOLDS, because('changes_anything')],
      risk: 'medium',
      allowed: ['approve', 'reject'],
      digest: 'd',
    },
  }),
};

describe('a gate that replaces the reasons of a question', () => {
  it('still names the source of text for a server tool', async () => {
    const tool = { tool: { name: 'mail__send' }, identity: 'i', server: 'mail' } as unknown as TurnTool;
    const call = { callId: 'c', tool: 'mail__send', args: {} };
    expect(await gateOfMcp(asking, [tool]).judge(call, signal)).toMatchObject({
      verdict: 'ask',
      question: { reason: [HOLDS, because('mcp_tool', { server: 'mail' })] },
    });
  });

  it('still names the source of text for a path', async () => {
    const rule = because('asked_by_path_rule', { rule: 'secrets/**' });
    const gate = gateByPaths(asking, async () => ({ mode: 'ask', reason: [rule] }));
    const call = { callId: 'c', tool: 'write_file', args: { file_path: '/a' } };
    expect(await gate.judge(call, signal)).toMatchObject({
      verdict: 'ask',
      question: { reason: [HOLDS, rule] },
    });
  });
});
