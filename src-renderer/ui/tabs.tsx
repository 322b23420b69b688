import { Tabs as Radix } from 'radix-ui';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { useSelectedInView } from './hooks/use-selected-in-view';

export interface Tab {
  id: string;
  label: string;
  icon?: ReactNode;
  /** Shown after the label if it is above zero. */
  count?: number;
  content: ReactNode;
}

interface TabsProps {
  /** Accessible name of the whole for screen readers. */
  label: string;
  tabs: readonly Tab[];
  value: string;
  onChange(id: string): void;
  /** Controls at the right end of the row. */
  end?: ReactNode;
}

/** Leaves the press to the browser: if Radix sets the focus, it shows a focus ring as after a key press. */
const onPress = (event: MouseEvent) => {
  if (event.button === 0 && !event.ctrlKey) event.stopPropagation();
};

/** A row of tabs above the content of the selected one. Arrows move between tabs. Fills its parent. */
export const Tabs = ({ label, tabs, value, onChange, end }: TabsProps) => {
  const list = useRef<HTMLDivElement>(null);
  useSelectedInView(list, value);
  // A shortcut selects a tab, too. The focus must not stay behind on another one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after another tab was selected
  useEffect(() => {
    const { activeElement } = document;
    if (activeElement?.getAttribute('role') === 'tab' && list.current?.contains(activeElement) === true)
      list.current.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  }, [value]);
  return (
    <Radix.Root value={value} onValueChange={onChange} className="flex h-full min-h-0 flex-col">
      <div className="flex h-9 shrink-0 items-stretch border-b border-line pr-1.5 pl-2">
        <Radix.List
          ref={list}
          aria-label={label}
          onMouseDownCapture={onPress}
          className="flex min-w-0 grow items-stretch overflow-x-auto overflow-y-hidden"
        >
          {tabs.map((tab) => (
            <Radix.Trigger
              key={tab.id}
              value={tab.id}
              onClick={() => onChange(tab.id)}
              className="relative flex items-center gap-1.5 px-2 font-medium whitespace-nowrap text-fg-3 -outline-offset-2 hover:text-fg data-[state=active]:text-fg data-[state=active]:after:absolute data-[state=active]:after:inset-x-2 data-[state=active]:after:bottom-0 data-[state=active]:after:h-0.5 data-[state=active]:after:bg-accent"
            >
              {tab.icon}
              {tab.label}
              {tab.count !== undefined && tab.count > 0 && (
                <span className="text-small text-fg-3 tabular-nums">{tab.count}</span>
              )}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {end !== undefined && <div className="flex shrink-0 items-center gap-0.5">{end}</div>}
      </div>
      {tabs.map((tab) => (
        <Radix.Content key={tab.id} value={tab.id} className="min-h-0 grow -outline-offset-2">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
};
