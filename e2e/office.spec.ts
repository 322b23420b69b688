import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { docxOf, odtOf, pptxOf, xlsxOf } from '../src-main/harness/agent/media/testing/files';
import { expect, giveToApp, makeFolder, test } from './support/app';
import { runsInLayers } from './support/sandbox';
import { see } from './support/see';
import { addFolder, allow, cards, idle, say, skipFirstRun } from './support/window';

test('office documents show their text and cells, and a change to one shows as a diff of them', async ({
  sharedApp: { app, page },
}) => {
  const folder = makeFolder('project');
  mkdirSync(join(folder, 'drafts'));
  const put = (path: string, bytes: Uint8Array) => writeFileSync(join(folder, path), bytes);
  const paragraphs = ['Offer', 'We deliver in May.', 'Kind regards'];
  put('offer.docx', docxOf(paragraphs));
  put('drafts/offer.docx', docxOf(paragraphs.with(1, 'We deliver in June.')));
  put('prices.xlsx', xlsxOf());
  put('talk.pptx', pptxOf(['Welcome\nto the talk', 'Thanks']));
  put('letter.odt', odtOf('<text:h>Letter</text:h><text:p>Dear all</text:p>'));
  put('broken.docx', new Uint8Array(Buffer.from('not an archive')));
  giveToApp(folder);
  await skipFirstRun(page);
  const isLayered = await runsInLayers(page);
  await addFolder({ app, page }, folder);
  const tree = page.getByRole('tree', { name: 'Files' });
  const open = async (name: string) => {
    await tree.getByRole('treeitem', { name }).click();
    return page.getByRole('region', { name: join(folder, name) });
  };

  const sheet = await open('prices.xlsx');
  await expect(sheet.getByRole('tab', { name: 'Q1 & Q2' })).toBeVisible();
  await expect(sheet.getByRole('columnheader')).toHaveText(['Item', '', 'Price']);
  await expect(sheet.getByRole('cell')).toHaveText(['Tea', '', '3 (=1+2)']);
  await see(page, 'office-sheet');

  const talk = await open('talk.pptx');
  await expect(talk.getByRole('heading', { name: 'Slide 2' })).toBeVisible();
  await expect(talk.getByText('to the talk')).toBeVisible();
  await see(page, 'office-slides');
  await expect((await open('letter.odt')).getByText('Dear all')).toBeVisible();
  const broken = await open('broken.docx');
  await expect(broken.getByText("Couldn't read this document")).toBeVisible();
  await expect(broken.getByText('1 line')).toHaveCount(0);
  const offer = await open('offer.docx');
  await expect(offer.getByText('We deliver in May.')).toBeVisible();
  await see(page, 'office-text');

  await say(page, 'run cp drafts/offer.docx offer.docx');
  if (isLayered) {
    const card = cards(page).first();
    await card.getByRole('button', { name: 'offer.docx' }).click();
    await expect(card.getByText('We deliver in June.')).toBeVisible();
    await see(page, 'office-outcome');
    await expect(card.locator('footer')).toHaveAttribute('aria-busy', 'false');
    await card.getByRole('button', { name: /^Keep/ }).click();
  } else await allow(page);
  await idle(page);
  // The open viewer follows the file.
  await expect(offer.getByText('We deliver in June.')).toBeVisible();

  await page.getByRole('tab', { name: 'Changes' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Changes' });
  await panel.getByRole('button', { name: 'offer.docx changed' }).click();
  await expect(panel.getByText('This is the text of the document.')).toBeVisible();
  await expect(panel.getByText('We deliver in June.')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Undo this change' })).toHaveCount(0);
  await see(page, 'office-change');
});
