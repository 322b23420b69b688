import { useFormats, useT } from '../../i18n';
import { type NamedSum, TOKEN_KINDS, tokensOf } from './usage-sums';

export type Measure = 'tokens' | 'cost';

/** Height of the chart in its own units; it is as wide as its container. */
const HEIGHT = 120;
const SLOT = 20;
/** From this many days on, bars have no gaps: with gaps, a year's bars would be thinner than a pixel. */
const CLOSE_FROM = 120;

const KIND_COLORS: Readonly<Record<(typeof TOKEN_KINDS)[number], string>> = {
  input: 'var(--accent)',
  cacheRead: 'var(--code-string)',
  cacheWrite: 'var(--ask)',
  output: 'var(--code-keyword)',
};

interface ChartProps {
  days: readonly NamedSum[];
  measure: Measure;
}

/** A bar for each day. It is purely visual: the table beside it has the numbers. */
export const UsageChart = ({ days, measure }: ChartProps) => {
  const t = useT();
  const formats = useFormats();
  const sizeOf = (sum: NamedSum) => (measure === 'cost' ? sum.cost : tokensOf(sum));
  const most = Math.max(1, ...days.map(sizeOf));
  const words = (value: number) => (measure === 'cost' ? formats.money(value) : formats.number(value));
  const width = days.length * SLOT;
  const gap = days.length < CLOSE_FROM ? 3 : 0;
  const [first, last] = [days[0]?.name ?? '', days.at(-1)?.name ?? ''];
  return (
    <figure className="flex flex-col gap-1">
      <div className="flex gap-2">
        <div
          aria-hidden
          className="flex w-16 shrink-0 flex-col justify-between text-right text-small whitespace-nowrap text-fg-3 tabular-nums"
        >
          <span title={words(most)}>{measure === 'cost' ? words(most) : formats.short(most)}</span>
          <span>{words(0)}</span>
        </div>
        <svg
          role="img"
          aria-label={t('data.chartOf', { what: t(`data.${measure}`), from: first, to: last })}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-32 min-w-0 grow border-b border-line-strong"
        >
          <line x1={0} x2={width} y1={0.5} y2={0.5} stroke="var(--line)" vectorEffect="non-scaling-stroke" />
          <line
            x1={0}
            x2={width}
            y1={HEIGHT / 2}
            y2={HEIGHT / 2}
            stroke="var(--line)"
            vectorEffect="non-scaling-stroke"
          />
          {days.map((sum, at) => (
            <g key={sum.name}>
              <title>{`${sum.name}: ${words(sizeOf(sum))}`}</title>
              <rect x={at * SLOT} y={0} width={SLOT} height={HEIGHT} fill="transparent" />
              <Bar
                sum={sum}
                x={at * SLOT + gap}
                width={SLOT - 2 * gap}
                measure={measure}
                scale={HEIGHT / most}
              />
            </g>
          ))}
        </svg>
      </div>
      <div aria-hidden className="ml-18 flex justify-between text-small text-fg-3 tabular-nums">
        <span>{first}</span>
        <span>{last}</span>
      </div>
      {measure === 'tokens' && (
        <figcaption className="ml-18 flex flex-wrap gap-x-4 text-small text-fg-2">
          {TOKEN_KINDS.map((kind) => (
            <span key={kind} className="inline-flex items-center gap-1.5">
              <span
                aria-hidden
                className="size-2 rounded-full forced-color-adjust-none"
                style={{ background: KIND_COLORS[kind] }}
              />
              {t(`data.${kind}`)}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
};

interface BarProps {
  sum: NamedSum;
  x: number;
  width: number;
  measure: Measure;
  /** Chart units per token or micro-dollar. */
  scale: number;
}

const Bar = ({ sum, x, width, measure, scale }: BarProps) => {
  const parts =
    measure === 'cost'
      ? [{ key: 'cost', value: sum.cost, fill: 'var(--accent)' }]
      : TOKEN_KINDS.map((kind) => ({ key: kind, value: sum[kind], fill: KIND_COLORS[kind] }));
  let top = HEIGHT;
  return parts.map(({ key, value, fill }) => {
    const height = value * scale;
    top -= height;
    return <rect key={key} x={x} y={top} width={width} height={height} fill={fill} />;
  });
};
