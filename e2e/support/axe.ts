import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ALL: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // Skips the details of elements that pass.
  resultTypes: ['violations'],
};
/** The rules that another theme can break. The others check the document, which is the same in every theme. */
const COLORS: RunOptions = {
  ...ALL,
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

// A tooltip is outside of every landmark, beside the control it describes.
const TIPS = ['[data-radix-popper-content-wrapper]:has([role="tooltip"])'];

/**
 * Accessibility problems on the current page, as text. `within`: a selector of the part to check if the rest is out of
 * reach, as behind an open menu. `about` is `colors` if the rest was checked in another theme.
 */
export async function violations(
  page: Page,
  within?: string,
  about: 'all' | 'colors' = 'all',
): Promise<string[]> {
  // Injected from outside the page, because its policy allows no foreign scripts.
  if (!(await page.evaluate(() => Reflect.has(window, 'axe')))) await page.evaluate(source);
  const places = within === undefined ? { exclude: TIPS } : { include: [within], exclude: TIPS };
  const { violations: found } = await page.evaluate<Pick<AxeResults, 'violations'>>(
    `window.axe.run(${JSON.stringify(places)}, ${JSON.stringify(about === 'all' ? ALL : COLORS)}).then(({ violations }) => ({ violations }))`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any, all, none, target }) => {
      const why = [...any, ...all, ...none].map(({ message }) => message).join('; ');
      return `${id}: ${why} · ${target.join(' ')} · ${html.slice(0, 200)}`;
    }),
  );
}
