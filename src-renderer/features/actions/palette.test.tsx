import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { giveElementsSize } from '../../testing/layout';
import { answersOf, Palette, type PaletteItem } from './palette';

let ran: string[];
const item = (kind: PaletteItem['kind'], label: string, more: Partial<PaletteItem> = {}): PaletteItem => ({
  id: `${kind}:${label}`,
  kind,
  label,
  about: kind,
  run: () => ran.push(label),
  ...more,
});
const items = [
  item('action', 'New thread', { also: '新建会话' }),
  item('action', 'Show or hide threads'),
  item('thread', 'Fix the failing test'),
  item('project', 'my-api'),
  item('setting', 'Theme'),
];
const labels = (typed: string) => answersOf(items, typed).map(({ label }) => label);

describe("the palette's search", () => {
  it('ranks a match at the start of a word before one inside it', () => {
    expect(labels('thread')).toEqual(['New thread', 'Show or hide threads', 'Fix the failing test']);
    expect(labels('th')[0]).toBe('Theme');
  });
  it('requires every word, in any order', () => expect(labels('test fix')).toEqual(['Fix the failing test']));
  it('finds items by their name in the other language', () => expect(labels('新建')).toEqual(['New thread']));
  it('tolerates missing letters', () => expect(labels('nwthrd')).toEqual(['New thread']));
  it("filters by kind after the kind's prefix", () => {
    expect(labels('>')).toEqual(['New thread', 'Show or hide threads', 'Theme']);
    expect(labels('#api')).toEqual(['my-api']);
  });
  it('shows what was chosen last first, and among equal matches', () => {
    const recent = ['setting:Theme', 'thread:Fix the failing test'];
    const first = (typed: string) => answersOf(items, typed, recent)[0]?.label;
    expect([first(''), first('#'), first('new')]).toEqual(['Theme', 'Fix the failing test', 'New thread']);
  });
  it('shows everything while nothing is typed', () => expect(labels('')).toHaveLength(5));
});

describe('the palette', () => {
  giveElementsSize();
  beforeEach(() => {
    ran = [];
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it('never offers the deletion of a thread first, even after it was chosen', async () => {
    const all = [...items, item('action', 'Delete', { id: 'action:deleteThread' })];
    for (const name of [/^Theme/, /^Delete/]) {
      const shown = render(<Palette open onClose={() => {}} items={all} />);
      fireEvent.click(screen.getByRole('option', { name }));
      await waitFor(() => expect(ran.at(-1)).toMatch(name));
      shown.unmount();
    }
    render(<Palette open onClose={() => {}} items={all} />);
    expect(screen.getAllByRole('option')[0]?.textContent).toContain('Theme');
  });

  it('draws only the rows that fit', () => {
    const many = Array.from({ length: 60 }, (_, index) => item('action', `Action ${index}`));
    render(<Palette open onClose={() => {}} items={many} />);
    expect(screen.getAllByRole('option').length).toBeLessThan(40);
  });

  it('works by keyboard alone, and exposes the active row', async () => {
    let closed = 0;
    render(<Palette open onClose={() => closed++} items={items} />);
    const field = screen.getByRole('combobox');
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: 'thread' } });
    fireEvent.keyDown(field, { key: 'ArrowDown' });
    const meant = document.getElementById(field.getAttribute('aria-activedescendant') ?? '');
    expect(meant?.textContent).toContain('Show or hide threads');
    expect(meant?.getAttribute('aria-selected')).toBe('true');
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(closed).toBe(1);
    await waitFor(() => expect(ran).toEqual(['Show or hide threads']));
    cleanup();
    render(<Palette open onClose={() => closed++} items={items} />);
    expect(screen.getAllByRole('option')[0]?.textContent).toContain('Show or hide threads');
  });

  it('keeps the focus when something behind it asks for the focus, such as a thread that was just opened', () => {
    const draw = (open: boolean) => (
      <>
        <textarea aria-label="behind" />
        <Palette open={open} onClose={() => undefined} items={items} />
      </>
    );
    const view = render(draw(false));
    view.rerender(draw(true));
    const field = screen.getByRole('combobox');
    expect(document.activeElement).toBe(field);
    screen.getByLabelText('behind').focus();
    expect(document.activeElement).toBe(field);
  });

  it('says that nothing matches', () => {
    render(<Palette open onClose={() => undefined} items={items} />);
    fireEvent.change(screen.getByRole('combobox'), { target: { value: 'zzz' } });
    expect(screen.getByText('No results for “zzz”.')).toBeTruthy();
  });

  it('adds files, which it requests as the user types', async () => {
    const asked: string[] = [];
    const findFiles = async (query: string) => {
      asked.push(query);
      return [item('file', 'src/sum.js')];
    };
    render(<Palette open onClose={() => undefined} items={items} findFiles={findFiles} />);
    fireEvent.change(screen.getByRole('combobox'), { target: { value: '/sum' } });
    await screen.findByText('src/sum.js');
    expect(asked).toEqual(['sum']);
  });

  it('opens the file that matches the whole text, even if Enter comes before it is found', async () => {
    const found = new Map<string, (files: PaletteItem[]) => void>();
    const findFiles = (query: string) => new Promise<PaletteItem[]>((done) => found.set(query, done));
    render(<Palette open onClose={() => undefined} items={items} findFiles={findFiles} />);
    const field = screen.getByRole('combobox');
    const give = async (query: string, name: string) => {
      await waitFor(() => expect(found.has(query)).toBe(true));
      found.get(query)?.([item('file', name)]);
    };
    fireEvent.change(field, { target: { value: '/or' } });
    expect(screen.queryByText(/^No results/)).toBeNull();
    await give('or', 'actor.ts');
    await screen.findByText('actor.ts');
    fireEvent.change(field, { target: { value: '/ord' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    await give('ord', 'orders.ts');
    await waitFor(() => expect(ran).toEqual(['orders.ts']));
    // What has a name does not wait for files.
    fireEvent.change(field, { target: { value: 'theme' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    await waitFor(() => expect(ran).toEqual(['orders.ts', 'Theme']));
  });
});
