import { describe, expect, it } from 'vitest';
import type { Rule, RuleMatch } from '../contract/control';
import { optional } from '../contract/shared/optional';
import { because } from '../contract/shared/reasons';
import type { GateCall } from './call';
import type { CallFacts } from './call-facts';
import { askedForOutside, sourcesNamed } from './outside-sources';
import type { Judgement } from './verdict';

const PAGE = { kind: 'page', name: 'docs.example.org' } as const;
const SERVER = { kind: 'server', name: 'mail', id: 'mine' } as const;
const WHY = because('thread_holds_page', { name: 'docs.example.org' });

const ruleFor = (match: RuleMatch): Rule => ({
  id: 'r',
  createdAt: 0,
  effect: 'allow',
  match,
  scope: { kind: 'person' },
});

type Changes = Omit<Partial<CallFacts>, 'call' | 'command'> & { harmless?: boolean };

/** A command unless the call is for another tool. */
function facts(call: Partial<GateCall>, { harmless = false, ...more }: Changes = {}): CallFacts {
  const { tool = 'execute' } = call;
  return {
    call: { callId: 'c', tool, args: {}, outside: [PAGE], ...call },
    past: {},
    rules: [],
    effect: { kind: 'ask', reason: [], risk: 'medium' },
    command: tool === 'execute' ? { verdict: harmless ? 'allow' : 'ask' } : null,
    ...more,
  } as unknown as CallFacts;
}

const allowed = (more: object = {}): Judgement => ({
  verdict: 'allow',
  reason: [because('in_sandbox')],
  outside: true,
  ...more,
});

const DENIED: Judgement = { verdict: 'deny', reason: [because('in_sandbox')] };

describe('a call while the conversation holds text from outside', () => {
  it.each([
    ['a command that runs outside the sandbox', facts({}), allowed()],
    [
      'a command in the sandbox that may reach hosts',
      facts({}, { rules: [ruleFor({ kind: 'host', host: 'a.example' })] }),
      allowed({ confined: true }),
    ],
    ['an external tool', facts({ tool: 'mail__send' }), allowed()],
    [
      'a page of another host',
      facts({ tool: 'fetch_url' }, { effect: { kind: 'fetch', host: 'other.example.org' } }),
      allowed(),
    ],
    [
      'an external tool, with a source of its own',
      facts({ tool: 'mail__send', server: 'mine', outside: [SERVER, PAGE] }),
      allowed(),
    ],
    [
      'a change of a file in a place on another computer',
      facts({ tool: 'write_file' }, { effect: { kind: 'place', reason: [], isAway: true } }),
      allowed(),
    ],
    [
      'a change in such a place that a rule allows',
      facts({ tool: 'write_file' }, { effect: { kind: 'ask', reason: [], risk: 'low', isAway: true } }),
      allowed(),
    ],
  ])('asks and names the source: %s', (_name, call, judged) => {
    expect(askedForOutside(call, judged)).toEqual({
      verdict: 'ask',
      reason: [WHY, because('in_sandbox')],
      risk: 'medium',
    });
  });

  it.each([
    ['without text from outside', facts({ outside: [] }), allowed()],
    ['a command that only reads', facts({}, { harmless: true }), allowed()],
    ['a command in the sandbox without hosts', facts({}), allowed({ confined: true })],
    ['a command in the read-only sandbox', facts({}), allowed({ confined: 'read-only' })],
    ['a command in a throwaway layer', facts({}), allowed({ rehearsal: 'ignored' })],
    [
      'a page of the same host',
      facts({ tool: 'fetch_url' }, { effect: { kind: 'fetch', host: PAGE.name } }),
      allowed(),
    ],
    [
      'a tool of the same server',
      facts({ tool: 'mail__send', server: 'mine', outside: [SERVER] }),
      allowed(),
    ],
    [
      'a change of a file in a place on this computer',
      facts({ tool: 'write_file' }, { effect: { kind: 'place', reason: [], isAway: false } }),
      allowed(),
    ],
    [
      'a page of the host that a command downloaded from',
      facts(
        { tool: 'fetch_url', outside: [{ kind: 'download', name: PAGE.name }] },
        { effect: { kind: 'fetch', host: PAGE.name } },
      ),
      allowed(),
    ],
    ['a file tool', facts({ tool: 'write_file' }), allowed()],
    ['a denied call', facts({}), DENIED],
  ])('is judged as always: %s', (_name, call, judged) => {
    expect(askedForOutside(call, judged)).toBe(judged);
  });

  it.each([
    ['download', 'a.example', because('thread_holds_download', { name: 'a.example' })],
    ['attachment', 'notes.md', because('thread_holds_attachment', { name: 'notes.md' })],
  ] as const)('asks because of a %s', (kind, name, why) => {
    const judged = askedForOutside(facts({ outside: [{ kind, name }] }), allowed());
    expect(judged).toMatchObject({ verdict: 'ask', reason: [why, because('in_sandbox')] });
  });

  it.each([
    ['another', 'other'],
    ['an unknown', undefined],
  ])('asks because of a server with the name of %s one', (_name, id) => {
    const { kind, name } = SERVER;
    const call = { tool: 'mail__send', server: 'mine', outside: [{ kind, name, ...optional({ id }) }] };
    expect(askedForOutside(facts(call), allowed())).toMatchObject({
      verdict: 'ask',
      reason: [because('thread_holds_result', { name: 'mail' }), because('in_sandbox')],
    });
  });

  it('names the latest three of several sources in one sentence', () => {
    const outside = ['a', 'b', 'c', 'd'].map((name) => ({ kind: 'server' as const, name }));
    const judged = askedForOutside(facts({ outside: [PAGE, ...outside] }), allowed());
    const several = because('thread_holds_several', { names: 'b, c, d' });
    expect(judged).toMatchObject({ reason: [several, because('in_sandbox')] });
    expect(sourcesNamed([several, WHY, because('in_sandbox')])).toEqual([several, WHY]);
  });

  it('names a source once that is of several kinds', () => {
    const outside = [PAGE, { ...PAGE, kind: 'download' } as const];
    expect(askedForOutside(facts({ outside }), allowed())).toMatchObject({
      reason: [because('thread_holds_several', { names: PAGE.name }), because('in_sandbox')],
    });
  });

  it('names the source on a question that is asked anyway', () => {
    const judged = { verdict: 'ask', reason: [because('changes_anything')], risk: 'high' } as const;
    expect(askedForOutside(facts({}), { ...judged, reason: [...judged.reason] })).toEqual({
      ...judged,
      reason: [WHY, because('changes_anything')],
    });
  });
});
