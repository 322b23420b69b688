import { useFormats, useT } from '../../i18n';
import { Bar } from '../../ui';
import type { Measure } from './usage-chart';
import { type NamedSum, tokensOf } from './usage-sums';

interface TableProps {
  title: string;
  /** The title of the first column. */
  of: string;
  sums: readonly NamedSum[];
  /** Draws a bar of this measure behind each name. */
  bars?: Measure;
}

/** Tokens by billing type, and what they cost. */
export const UsageTable = ({ title, of, sums, bars }: TableProps) => {
  const t = useT();
  const formats = useFormats();
  const sizeOf = (sum: NamedSum) => (bars === 'cost' ? sum.cost : tokensOf(sum));
  const most = Math.max(1, ...sums.map(sizeOf));
  const heads = ['requests', 'input', 'cacheRead', 'cacheWrite', 'output', 'cost'] as const;
  return (
    <div className="flex flex-col gap-1">
      <h4 className="font-medium">{title}</h4>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
        tabIndex={0}
        aria-label={title}
        className="overflow-x-auto"
      >
        <table className="w-full text-small">
          <thead>
            <tr className="text-fg-3">
              <th scope="col" className="py-1 pr-2 text-left font-normal">
                {of}
              </th>
              {heads.map((head) => (
                <th key={head} scope="col" className="py-1 pl-3 text-right font-normal whitespace-nowrap">
                  {t(`data.${head}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sums.map((sum) => (
              <tr key={sum.name} className="border-t border-line">
                <th scope="row" className="max-w-56 py-1 pr-2 text-left font-normal">
                  <span className="block truncate" title={sum.name}>
                    {sum.name}
                  </span>
                  {bars !== undefined && <Bar share={sizeOf(sum) / most} tone="accent" className="mt-0.5" />}
                </th>
                {heads.map((head) => (
                  <td
                    key={head}
                    className="py-1 pl-3 text-right whitespace-nowrap tabular-nums"
                    title={head === 'cost' || sum[head] < 1_000_000 ? undefined : formats.number(sum[head])}
                  >
                    {head !== 'cost'
                      ? formats.short(sum[head])
                      : sum.unpriced === sum.requests
                        ? t('data.priceUnknown')
                        : `${sum.unpriced > 0 ? '≥ ' : ''}${formats.money(sum.cost)}`}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
};
