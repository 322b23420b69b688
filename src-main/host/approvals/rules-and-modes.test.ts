import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Project } from '../../contract/app';
import type { CommandVerdict, Rule, RuleDraft, RuleMatch, RulePreview } from '../../contract/control';
import { because } from '../../contract/shared/reasons';
import { withCode } from '../../contract/testing/with-code';
import { isIdle, isWaiting, setUp, WITHOUT_LAYERS } from '../testing/window';

const touch: RuleMatch = { kind: 'command', words: ['touch'], exact: false };

describe('auto-approval', () => {
  it('includes a command that only reads the folder, and the call says why', async () => {
    const t = await setUp();
    writeFileSync(join(t.folder, 'a.txt'), 'hello');
    await t.say('run cat a.txt');
    await t.window.until(isIdle);
    expect(t.window.calls[0]).toMatchObject({
      status: 'done',
      exitCode: 0,
      unasked: { reason: [because('only_reads_folder')] },
    });
  });

  it('excludes calls that would be refused: the agent is told what to do instead', async () => {
    const t = await setUp();
    await t.say('run sudo id');
    await t.window.until(isIdle);
    expect(t.window.calls[0]).toMatchObject({ status: 'failed' });
    expect(t.window.calls[0]?.result).toMatch(/sudo id: it would act as another user\. It did not run/);
    expect(t.window.calls[0]?.unasked).toBe(undefined);
  });
});

describe('rules', () => {
  it('are suggested for a pending call with a preview of past calls, and allow the next one', async () => {
    const t = await setUp(WITHOUT_LAYERS);
    await t.say('run touch one');
    const { approvals } = await t.window.until(isWaiting(1));
    const suggested: { matches: RuleMatch[] } = await t.window.must('rules.suggest', {
      threadId: t.threadId,
      approvalId: approvals[0]?.id ?? '',
    });
    expect(suggested.matches[0]).toEqual({ kind: 'command', words: ['touch', 'one'], exact: true });
    const draft: RuleDraft = {
      effect: 'allow',
      match: touch,
      scope: { kind: 'project', projectId: t.projectId },
    };
    expect(await t.window.must('rules.preview', draft)).toMatchObject({
      refused: null,
      coveredCalls: 1,
      covered: [{ text: 'touch one', times: 1 }],
      nearMiss: { happened: false },
    } satisfies Partial<Record<keyof RulePreview, unknown>>);
    const rule: Rule = await t.window.must('rules.save', { draft });
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    await t.say('run touch two');
    await t.window.until((state) => isIdle(state) && existsSync(join(t.folder, 'two')));
    expect(t.window.calls.at(-1)?.unasked).toEqual({
      reason: [because('allowed_by_rule', { rule: 'touch …' })],
      ruleId: rule.id,
    });
    await t.window.must('rules.remove', { id: rule.id });
    await t.say('run touch three');
    await t.window.until(isWaiting(1));
    // A restored rule keeps its id, which earlier calls name, and its place.
    await t.window.must('rules.restore', { id: rule.id });
    expect(t.host.storage.rules.list()).toEqual([rule]);
    expect(await t.window.client.call('rules.restore', { id: rule.id })).toMatchObject({
      ok: false,
      error: { kind: 'not_found' },
    });
  });

  it('do not come back when an edit of a revoked one is saved', async () => {
    const t = await setUp(WITHOUT_LAYERS);
    const draft: RuleDraft = {
      effect: 'deny',
      match: touch,
      scope: { kind: 'project', projectId: t.projectId },
    };
    const rule: Rule = await t.window.must('rules.save', { draft });
    await t.window.must('rules.remove', { id: rule.id });
    expect(await t.window.client.call('rules.save', { draft, replaces: rule.id })).toMatchObject({
      ok: false,
      error: { kind: 'not_found', code: 'rule_gone' },
    });
    expect(t.host.storage.rules.list()).toEqual([]);
  });

  it('are not saved if they are refused, whatever the window says', async () => {
    const t = await setUp(WITHOUT_LAYERS);
    const save = (match: RuleMatch) =>
      t.window.client.call('rules.save', { draft: { effect: 'allow', match, scope: { kind: 'person' } } });
    for (const words of [['bash'], ['rm'], ['git', '-c']])
      expect(await save({ kind: 'command', words, exact: false })).toMatchObject({
        ok: false,
        error: { kind: 'denied' },
      });
    expect(t.host.storage.rules.list()).toEqual([]);
  });

  it('decide matching pending approvals of the same step, which then disappear', async () => {
    const t = await setUp(WITHOUT_LAYERS);
    await t.say('run touch one + run touch two');
    await t.window.until(isWaiting(2));
    const draft: RuleDraft = {
      effect: 'allow',
      match: touch,
      scope: { kind: 'thread', threadId: t.threadId },
    };
    await t.window.must('rules.save', { draft });
    await t.window.decide(0, { type: 'approve' });
    const state = await t.window.until(isIdle);
    expect(readdirSync(t.folder).sort()).toEqual(['one', 'two']);
    expect(state.approvals).toEqual([]);
    expect(t.host.storage.approvals.waiting(t.threadId)).toEqual([]);
  });

  it('do not overrule a decision of the person', async () => {
    const t = await setUp(WITHOUT_LAYERS);
    await t.say('run touch one + run touch two');
    await t.window.until(isWaiting(2));
    const draft: RuleDraft = { effect: 'allow', match: touch, scope: { kind: 'person' } };
    await t.window.must('rules.save', { draft });
    // The order of two calls judged at the same time is undefined.
    const one = t.window.state?.approvals.findIndex(
      ({ preview }) => preview.kind === 'command' && preview.command === 'touch one',
    );
    await t.window.decide(one ?? -1, { type: 'reject', message: 'not this one' });
    await t.window.until(isIdle);
    expect(readdirSync(t.folder)).toEqual(['two']);
    expect(t.window.calls.map(({ status }) => status).toSorted()).toEqual(['done', 'rejected']);
  });

  it('can be tried on a typed command', async () => {
    const t = await setUp(WITHOUT_LAYERS);
    const draft = (effect: RuleDraft['effect']): { draft: RuleDraft } => ({
      draft: { effect, match: touch, scope: { kind: 'person' } },
    });
    const test = async (command: string): Promise<CommandVerdict> =>
      t.window.must('rules.test', { projectId: t.projectId, command });
    expect((await test('touch x && ls')).verdict).toBe('ask');
    const allow: Rule = await t.window.must('rules.save', draft('allow'));
    expect(await test('touch x && ls')).toMatchObject({ verdict: 'allow', rules: [allow] });
    await t.window.must('project.setMode', { projectId: t.projectId, mode: 'ask-all' });
    expect(await test('touch x && ls')).toMatchObject({ verdict: 'ask', rules: [], mode: 'ask-all' });
    expect(await test('ls')).toMatchObject({ verdict: 'ask', mode: 'ask-all' });
    await t.window.must('project.setMode', { projectId: t.projectId, mode: 'plan' });
    expect(await test('touch x')).toMatchObject({ verdict: 'deny', rules: [], mode: 'plan' });
    expect(await test('ls')).toMatchObject({ verdict: 'allow', mode: 'plan' });
    await t.window.must('project.setMode', { projectId: t.projectId, mode: 'ask-risky', loosen: true });
    const deny: Rule = await t.window.must('rules.save', draft('deny'));
    expect(await test('env touch x')).toMatchObject({ verdict: 'deny', rules: [deny] });
    expect(existsSync(join(t.folder, 'x'))).toBe(false);
  });
});

describe('modes', () => {
  it('tighten immediately, even for a pending call, and loosen only after confirmation', async () => {
    const t = await setUp();
    const set = (mode: string, loosen = false) =>
      t.window.client.call('project.setMode', { projectId: t.projectId, mode, loosen } as never);
    await t.say('create a.txt with "x"');
    await t.window.until(isWaiting(1));
    expect(await set('plan')).toMatchObject({ ok: true });
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(readdirSync(t.folder)).toEqual([]);
    expect(t.window.calls[0]?.result).toContain('plan mode');
    expect(t.window.calls[0]?.refused).toEqual([because('plan_mode')]);
    expect(await set('ask-risky')).toMatchObject({ ok: false, error: { kind: 'conflict' } });
    expect(await set('ask-risky', true)).toMatchObject({ ok: true });
    await t.say('create a.txt with "x"');
    await t.window.until(isWaiting(1));
  });

  it('stay with the project', async () => {
    const t = await setUp();
    await t.window.must('project.setMode', { projectId: t.projectId, mode: 'ask-all' });
    const again = await t.host.projects.open(t.folder);
    expect(again).toMatchObject({ ok: true, value: { mode: 'ask-all' } satisfies Partial<Project> });
  });
});

it('judge edited arguments again before they are sent', async () => {
  const t = await setUp(WITHOUT_LAYERS);
  await t.say('run touch one');
  const { approvals } = await t.window.until(isWaiting(1));
  const check = (command: string) =>
    t.window.must('approval.check', {
      threadId: t.threadId,
      approvalId: approvals[0]?.id ?? '',
      args: { command },
    });
  expect(await check('rm -rf ~')).toMatchObject({
    verdict: 'deny',
    reason: withCode('part'),
  });
  expect(await check('rm one')).toMatchObject({
    verdict: 'ask',
    risk: 'high',
    preview: { touches: [{ does: 'delete', path: join(t.folder, 'one') }] },
  });
  await t.window.decide(0, { type: 'edit', args: { command: 'sudo id' } });
  await t.window.until(isIdle);
  expect(t.window.calls[0]).toMatchObject({ status: 'failed' });
});
