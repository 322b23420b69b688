import type { ThreadState } from '@contract/conversation';
import type { InspectedRequest } from '@contract/inspect';
import { ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { onIntent, usePort } from '../../link';
import { giveElementsSize } from '../../testing/layout';
import { type Answers, panelHost } from '../../testing/panel-host';
import { sampleApp, sampleThread } from '../../testing/samples';
import { UsageMeter } from './usage-meter';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const NOTHING = { inputTokens: 0, outputTokens: 0, contextTokens: 0 };

const Gate = ({ thread, short }: { thread: ThreadState; short: boolean }) =>
  usePort().phase === 'ready' ? <UsageMeter thread={thread} short={short} /> : null;

function open(usage: object, answers: Answers = {}, short = false) {
  const thread = sampleThread({ usage: { ...NOTHING, ...usage } });
  const host = panelHost(short ? { models: sampleApp().models } : {}, answers);
  stop = host.stop;
  const view = render(<Gate thread={thread} short={short} />);
  return { ...host, ...view, thread };
}

describe('the meter', () => {
  it('shows the cost of the thread, and a breakdown in its popover', async () => {
    const turn = {
      inputTokens: 1_200,
      outputTokens: 30,
      cacheReadTokens: 1_000,
      costMicroDollars: 4_200,
      unpricedRequests: 0,
    };
    open({
      contextTokens: 5_000,
      inputTokens: 50_000,
      outputTokens: 900,
      cacheReadTokens: 40_000,
      costMicroDollars: 123_456,
      turn,
    });
    const button = await screen.findByRole('button', { name: /\$0\.12/ });
    fireEvent.click(button);
    const popover = await screen.findByRole('dialog');
    expect(popover.textContent).toContain('This turn$0.00421,200 in, 30 out · 1,000 of the input from cache');
    expect(popover.textContent).toContain('This thread$0.1250,000 in, 900 out · 40,000 of the input');
  });

  it('shows only the percentage in a narrow window, and says the rest to screen readers', async () => {
    open({ contextTokens: 5_000, costMicroDollars: 123_456 }, {}, true);
    const button = await screen.findByRole('button', { name: /^\d+% of \d+k context \$0\.12$/ });
    const seen = [...button.children].filter((child) => !child.classList.contains('sr-only'));
    expect(seen.map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/^\d+%$/), '$0.12']);
  });

  it('says that a price is unknown, and never shows it as zero', async () => {
    open({ contextTokens: 5_000, costMicroDollars: 0, unpricedRequests: 2 });
    const button = await screen.findByRole('button', { name: /price unknown/ });
    expect(button.textContent).not.toContain('$');
    fireEvent.click(button);
    expect((await screen.findByRole('dialog')).textContent).toContain('2 requests used models');
    const sections: string[] = [];
    const undo = onIntent((intent) => intent.type === 'openSettings' && sections.push(intent.section));
    fireEvent.click(screen.getByRole('button', { name: 'Enter price…' }));
    undo();
    expect(sections).toEqual(['spending']);
  });

  it('shows a minimum if only part of the cost is known', async () => {
    open({ contextTokens: 5_000, costMicroDollars: 2_000_000, unpricedRequests: 1 });
    expect(await screen.findByRole('button', { name: /at least \$2\.00/ })).toBeTruthy();
  });

  it('is hidden before anything is sent', async () => {
    const { container, asked } = open({});
    await waitFor(() => expect(asked('app.open').length).toBe(1));
    expect(container.textContent).toBe('');
  });
});

const REQUEST: InspectedRequest = {
  at: 1,
  model: 'anthropic:claude',
  agent: null,
  isSummary: false,
  parts: [
    { kind: 'system', title: 'You are', tokens: 10, text: 'You are an agent.\nProject folder: /x' },
    { kind: 'tool', title: 'ls', tokens: 20, text: '{"name":"ls"}' },
    { kind: 'message', title: 'user', tokens: 3, text: 'what is there' },
  ],
  tokens: 33,
  counted: 40,
  contextWindow: 400,
};

describe('the inspector', () => {
  const look = async (requests: InspectedRequest[]) => {
    giveElementsSize();
    const host = open({ contextTokens: 5_000 }, { 'thread.inspect': () => ok({ requests }) });
    fireEvent.click(await screen.findByRole('button', { name: /5,000/ }));
    fireEvent.click(await screen.findByRole('button', { name: 'Inspect request…' }));
    await screen.findByRole('dialog', { name: 'Request inspector' });
    return host;
  };

  it('shows each part with its tokens, and the text of an expanded part', async () => {
    await look([REQUEST]);
    expect(
      await screen.findByText(/33 tokens \(estimated\) · 40 counted by the provider · 10%/),
    ).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: /Tool ?ls ?20 tokens/ }));
    expect(screen.getByText('{"name":"ls"}')).toBeTruthy();
  });

  it('searches the request, and says how many parts match', async () => {
    await look([REQUEST]);
    fireEvent.change(await screen.findByLabelText('Search this request'), {
      target: { value: 'PROJECT' },
    });
    expect(screen.getByText('1 of 3 parts')).toBeTruthy();
    expect(screen.queryByText('ls')).toBeNull();
    expect(screen.getByText(/agent\. Project folder/)).toBeTruthy();
  });

  it('switches between the agents', async () => {
    const other = { ...REQUEST, agent: 'general-purpose', parts: [], tokens: 0, counted: null };
    await look([REQUEST, other]);
    fireEvent.change(await screen.findByLabelText('Request'), { target: { value: '1' } });
    expect(screen.getByText('0 of 0 parts')).toBeTruthy();
  });

  it('says that nothing has been sent yet', async () => {
    await look([]);
    expect(await screen.findByText(/No requests since Deepdesk started/)).toBeTruthy();
  });
});
