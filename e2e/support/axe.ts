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
/** The rules that another theme can break. The others check the document, which is the same in each theme. */
const COLORS: RunOptions = {
  ...ALL,
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

// A tip lies outside of every part, beside what it is about, which names it.
const TIPS = ['[data-radix-popper-content-wrapper]:has([role="tooltip"])'];

/**
 * What a person without sight, or with little of it, would stumble over in the page as it is now, in words. `within`: a
 * selector of what is looked at, where the rest is out of reach, as behind an open menu. `about`: only its
 * colors, when the rest was checked in another theme.
 */
export async function violations(
  page: Page,
  within?: string,
  about: 'all' | 'colors' = 'all',
): Promise<string[]> {
  // Brought in from outside the page, whose policy lets no script of others in.
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
