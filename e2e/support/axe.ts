import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};

// A tip lies outside of every part, beside what it is about, which names it.
const TIPS = ['[data-radix-popper-content-wrapper]:has([role="tooltip"])'];

/**
 * What a person without sight, or with little of it, would stumble over in the page as it is now, in words. `within`: a
 * selector of what is looked at, where the rest is out of reach, as behind an open menu.
 */
export async function violations(page: Page, within?: string): Promise<string[]> {
  // Brought in from outside the page, whose policy lets no script of others in.
  await page.evaluate(`if (!window.axe) { ${source} }`);
  const places = within === undefined ? { exclude: TIPS } : { include: [within], exclude: TIPS };
  const { violations: found } = await page.evaluate<Pick<AxeResults, 'violations'>>(
    `window.axe.run(${JSON.stringify(places)}, ${JSON.stringify(RULES)}).then(({ violations }) => ({ violations }))`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any, all, none, target }) => {
      const why = [...any, ...all, ...none].map(({ message }) => message).join('; ');
      return `${id}: ${why} · ${target.join(' ')} · ${html.slice(0, 200)}`;
    }),
  );
}
