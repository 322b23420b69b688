import type { ThreadState, Usage } from '@contract/conversation';
import { type ReactNode, useState } from 'react';
import { useFormats, useT } from '../../i18n';
import { openSettings, useApp } from '../../link';
import { Bar, Button, cx, Popover } from '../../ui';
import { Inspector } from './inspector';

interface UsageMeterProps {
  thread: Pick<ThreadState, 'thread' | 'usage'>;
  /** Only the percentage, for a narrow window. */
  short?: boolean;
}

/** How full the model's context is and what the thread cost; a popover breaks both down. */
export const UsageMeter = ({ thread, short = false }: UsageMeterProps) => {
  const t = useT();
  const formats = useFormats();
  const [open, setOpen] = useState(false);
  const [inspecting, setInspecting] = useState(false);
  const window = useContextWindow(thread.thread.model);
  const { usage } = thread;
  const cost = useCost()(usage.costMicroDollars ?? 0, usage.unpricedRequests ?? 0);
  const used = usage.contextTokens;
  if (used === 0 && cost === null) return null;
  const share = window === undefined ? 0 : Math.min(1, used / window);
  const percent = `${Math.round(share * 100)}%`;
  const isShort = short && window !== undefined;
  const fullness =
    window === undefined
      ? t('app.contextUsed', { used })
      : t('app.contextOf', {
          percent,
          window: `${formats.number(Math.round(window / 1_000))}k`,
        });
  return (
    <>
      <Popover
        label={t('usage.meter')}
        width="20rem"
        align="end"
        open={open}
        onOpenChange={setOpen}
        trigger={
          <Button variant="ghost" size="sm" className="gap-2 tabular-nums">
            {window !== undefined && !isShort && (
              <Bar share={share} tone={share > 0.85 ? 'ask' : 'quiet'} className="w-16" />
            )}
            <span className={cx(isShort && 'sr-only')}>{fullness}</span>
            {isShort && <span aria-hidden>{percent}</span>}
            {cost !== null && <span>{cost}</span>}
          </Button>
        }
      >
        <dl className="flex flex-col gap-3 p-3">
          <Row term={t('usage.context')}>
            {window === undefined
              ? t('usage.contextUnknown', { used })
              : t('usage.contextTokens', { used, window })}
          </Row>
          {usage.turn !== undefined && (
            <Row term={t('usage.turn')}>
              <Sum usage={usage.turn} />
            </Row>
          )}
          <Row term={t('usage.thread')}>
            <Sum usage={usage} />
          </Row>
          <Ceiling />
        </dl>
        {(usage.unpricedRequests ?? 0) > 0 && (
          <p className="border-t border-line px-3 py-2 text-small text-fg-2">
            {t('usage.unpriced', { count: usage.unpricedRequests ?? 0 })}
          </p>
        )}
        <div className="flex flex-wrap gap-1.5 border-t border-line p-2">
          <Button
            size="sm"
            onClick={() => {
              setOpen(false);
              setInspecting(true);
            }}
          >
            {t('usage.inspect')}
          </Button>
          <Button
            size="sm"
            onClick={() => {
              setOpen(false);
              openSettings('spending');
            }}
          >
            {t((usage.unpricedRequests ?? 0) > 0 ? 'usage.enterPrice' : 'usage.openSpending')}
          </Button>
        </div>
      </Popover>
      <Inspector threadId={thread.thread.id} open={inspecting} onOpenChange={setInspecting} />
    </>
  );
};

const Row = ({ term, children }: { term: string; children: ReactNode }) => (
  <div className="flex flex-col gap-0.5">
    <dt className="text-small font-medium text-fg-2">{term}</dt>
    <dd className="tabular-nums">{children}</dd>
  </div>
);

type Summed = Pick<
  Usage,
  | 'inputTokens'
  | 'outputTokens'
  | 'cacheReadTokens'
  | 'reasoningTokens'
  | 'costMicroDollars'
  | 'unpricedRequests'
>;

const Sum = ({ usage }: { usage: Summed }) => {
  const t = useT();
  const cost = useCost()(usage.costMicroDollars ?? 0, usage.unpricedRequests ?? 0);
  const cached = usage.cacheReadTokens ?? 0;
  const reasoning = usage.reasoningTokens ?? 0;
  const tokens = [
    t('usage.tokens', { input: usage.inputTokens, output: usage.outputTokens }),
    ...(cached > 0 ? [t('usage.cached', { cached })] : []),
    ...(reasoning > 0 ? [t('usage.reasoning', { count: reasoning })] : []),
  ].join(' · ');
  return (
    <>
      {cost !== null && <span className="block">{cost}</span>}
      <span className="block text-small text-fg-3">{tokens}</span>
    </>
  );
};

const Ceiling = () => {
  const t = useT();
  const formats = useFormats();
  const ceiling = useApp((app) => app.settings.spending.thread);
  if (ceiling === null) return null;
  return <div className="text-small text-fg-3">{t('usage.ceiling', { amount: formats.money(ceiling) })}</div>;
};

/** Formats an amount; null if nothing cost anything. An unknown price is named, never shown as zero. */
function useCost(): (microDollars: number, unpriced: number) => string | null {
  const t = useT();
  const formats = useFormats();
  return (microDollars, unpriced) => {
    if (unpriced === 0) return microDollars === 0 ? null : formats.money(microDollars);
    return microDollars === 0
      ? t('usage.priceUnknown')
      : t('usage.atLeast', { amount: formats.money(microDollars) });
  };
}

/** Tokens that fit in a request to the model, with the person's own entry; undefined if unknown. */
function useContextWindow(model: string): number | undefined {
  const own = useApp((app) => app.models.overrides[model]?.contextWindow);
  const known = useApp(({ models }) => {
    const [provider, ...rest] = model.split(':');
    const name = rest.join(':');
    return models.providers.find(({ id }) => id === provider)?.models.find((one) => one.name === name)
      ?.contextWindow;
  });
  return known ?? own ?? undefined;
}
