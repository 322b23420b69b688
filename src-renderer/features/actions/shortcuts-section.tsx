import { RotateCcw, Search } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, useState } from 'react';
import { translator, useT } from '../../i18n';
import { call, toast, useApp } from '../../link';
import { Button, cx, IconButton, Input, Kbd } from '../../ui';
import { pressed, shown, unfit } from './keys';
import {
  type ActionId,
  actionIds,
  actions,
  actionWith,
  type ChosenKeys,
  groups,
  keysOfAction,
} from './registry';

const NONE: ChosenKeys = {};
const words = { en: translator('en'), zh: translator('zh') };

async function save(chosen: ChosenKeys): Promise<boolean> {
  // Defaults are not saved: a later version may change them.
  const own = Object.fromEntries(
    Object.entries(chosen).filter(([id, keys]) => !(id in actions) || keys !== actions[id as ActionId].keys),
  );
  const result = await call('settings.change', { shortcuts: own });
  if (!result.ok) toast(result.error.message);
  return result.ok;
}

/** Every action with its keys, with search, editing and reset. */
export const ShortcutsSection = () => {
  const t = useT();
  const platform = useApp((app) => app.platform);
  const chosen = useApp((app) => app.settings.shortcuts ?? NONE);
  const [query, setQuery] = useState('');
  const [changing, setChanging] = useState<ActionId>();
  const needle = query.trim().toLowerCase();
  const matches = (id: ActionId) => {
    const keys = keysOfAction(id, chosen);
    return [words.en(`actions.${id}`), words.zh(`actions.${id}`), keys === null ? '' : shown(platform, keys)]
      .join(' ')
      .toLowerCase()
      .includes(needle);
  };
  const found = groups
    .map((group) => ({ group, ids: actionIds.filter((id) => actions[id].group === group && matches(id)) }))
    .filter(({ ids }) => ids.length > 0);
  const enter = shown(platform, 'enter');
  const fixed = [
    [t('shortcuts.fixedAllow'), shown(platform, 'mod+enter')],
    [t('shortcuts.fixedAllowLow'), enter],
    [t('shortcuts.fixedReject'), 'Esc'],
    [t('shortcuts.fixedReason'), 'R'],
    [t('shortcuts.fixedEdit'), 'E'],
    [t('shortcuts.fixedAlways'), 'A'],
    [t('shortcuts.fixedStep'), 'N P'],
    [t('shortcuts.fixedKeep'), 'K'],
    [t('shortcuts.fixedKeepHigh'), shown(platform, 'shift+k')],
    [t('shortcuts.fixedDiscard'), 'D'],
    [t('shortcuts.fixedSend'), enter],
    [t('shortcuts.fixedLine'), shown(platform, 'shift+enter')],
    [t('shortcuts.fixedClose'), 'Esc'],
    [t('shortcuts.fixedUndo'), shown(platform, 'mod+z')],
    [t('shortcuts.fixedMove'), '↑ ↓'],
  ] as const;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-small text-fg-3">{t('shortcuts.hint')}</p>
      <div className="flex gap-2">
        <Input
          type="search"
          icon={<Search size={14} />}
          aria-label={t('shortcuts.search')}
          placeholder={t('shortcuts.search')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <Button disabled={Object.keys(chosen).length === 0} onClick={() => void save({})}>
          {t('shortcuts.resetAll')}
        </Button>
      </div>
      {found.length === 0 && <p className="text-fg-2">{t('shortcuts.none', { query: query.trim() })}</p>}
      {found.map(({ group, ids }) => (
        <section key={group} aria-label={t(`shortcuts.${group}`)}>
          <h3 className="pb-1 text-title font-semibold">{t(`shortcuts.${group}`)}</h3>
          <ul>
            {ids.map((id) => (
              <Row
                key={id}
                id={id}
                chosen={chosen}
                changing={changing === id}
                onChanging={(on) => setChanging(on ? id : undefined)}
              />
            ))}
          </ul>
        </section>
      ))}
      {needle === '' && (
        <section aria-label={t('shortcuts.fixed')}>
          <h3 className="pb-1 text-title font-semibold">{t('shortcuts.fixed')}</h3>
          <ul>
            {fixed.map(([name, keys]) => (
              <li key={name} className="flex h-8 min-h-target items-center gap-2 border-b border-line pr-1.5">
                <span className="min-w-0 grow truncate">{name}</span>
                <Kbd>{keys}</Kbd>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
};

interface RowProps {
  id: ActionId;
  chosen: ChosenKeys;
  changing: boolean;
  onChanging(on: boolean): void;
}

const Row = ({ id, chosen, changing, onChanging }: RowProps) => {
  const t = useT();
  const platform = useApp((app) => app.platform);
  const [wanted, setWanted] = useState<string>();
  const keys = keysOfAction(id, chosen);
  const usual = actions[id].keys;
  const other = wanted === undefined ? undefined : actionWith(wanted, chosen, id);
  const problem = wanted === undefined ? null : unfit(wanted);

  const end = () => {
    setWanted(undefined);
    onChanging(false);
  };
  const set = async (next: string | null, besides: ChosenKeys = {}) => {
    end();
    await save({ ...chosen, ...besides, [id]: next });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!changing || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') return end();
    if (event.key === 'Backspace' && !event.ctrlKey && !event.metaKey && !event.altKey) return void set(null);
    const next = pressed(event, platform);
    if (next === null) return;
    if (next === keys) return end();
    if (unfit(next) !== null || actionWith(next, chosen, id) !== undefined) setWanted(next);
    else void set(next);
  };

  return (
    <li className="border-b border-line py-0.5">
      <div className="flex min-h-7 items-center gap-2">
        <span className="min-w-0 grow">{t(`actions.${id}`)}</span>
        {keys !== usual && (
          <IconButton
            size="sm"
            label={
              usual === null
                ? t('shortcuts.resetNone')
                : t('shortcuts.reset', { keys: shown(platform, usual) })
            }
            icon={<RotateCcw size={14} />}
            onClick={() => {
              const holder = usual === null ? undefined : actionWith(usual, chosen, id);
              if (holder === undefined) void set(usual);
              else {
                onChanging(true);
                setWanted(usual ?? undefined);
              }
            }}
          />
        )}
        <KeysButton
          id={id}
          keys={keys}
          changing={changing}
          onClick={() => (changing ? end() : onChanging(true))}
          onKeyDown={onKeyDown}
          onBlur={(event) => {
            if (changing && !event.relatedTarget?.closest('[data-conflict]')) end();
          }}
        />
      </div>
      {changing && (
        <p className="text-small text-fg-3" role={wanted === undefined ? undefined : 'alert'}>
          {wanted === undefined
            ? t('shortcuts.press')
            : problem !== null
              ? t(`shortcuts.${problem}`, { keys: shown(platform, wanted) })
              : other !== undefined &&
                t('shortcuts.conflict', { keys: shown(platform, wanted), action: t(`actions.${other}`) })}
        </p>
      )}
      {changing && wanted !== undefined && problem === null && other !== undefined && (
        <p data-conflict className="flex gap-2 py-1">
          <Button size="sm" onClick={() => void set(wanted, { [other]: null })}>
            {t('shortcuts.takeOver')}
          </Button>
          <Button size="sm" variant="ghost" onClick={end}>
            {t('shortcuts.keep')}
          </Button>
        </p>
      )}
    </li>
  );
};

interface KeysButtonProps extends Pick<ComponentProps<'button'>, 'onClick' | 'onKeyDown' | 'onBlur'> {
  id: ActionId;
  keys: string | null;
  changing: boolean;
}

/** Shows the keys of an action, and takes new ones while they are being changed. */
const KeysButton = ({ id, keys, changing, ...on }: KeysButtonProps) => {
  const t = useT();
  const platform = useApp((app) => app.platform);
  const text = keys === null ? t('shortcuts.noKeys') : shown(platform, keys);
  return (
    <button
      type="button"
      // Radix closes the dialog on Escape before the button gets the event.
      data-captures-keys={changing || undefined}
      aria-label={t('app.labelled', {
        label: t('shortcuts.change', { action: t(`actions.${id}`) }),
        text: changing ? t('shortcuts.press') : text,
      })}
      className={cx(
        'flex h-6 min-h-target min-w-28 items-center justify-end rounded-control px-1.5 hover:bg-hover',
        changing && 'bg-accent-soft',
      )}
      {...on}
    >
      {changing ? (
        <span className="text-small text-fg-2">{t('shortcuts.pressShort')}</span>
      ) : keys === null ? (
        <span className="text-small text-fg-3">{text}</span>
      ) : (
        <Kbd>{text}</Kbd>
      )}
    </button>
  );
};
