import { Ellipsis } from 'lucide-react';
import { IconButton } from './button';
import { Menu, type MenuItem } from './menu';

/** What a row offers besides its buttons. Destructive actions are here, so that none comes under the pointer. */
export const MoreMenu = ({ label, items }: { label: string; items: readonly MenuItem[] }) => (
  <Menu
    align="end"
    trigger={<IconButton size="sm" label={label} icon={<Ellipsis aria-hidden size={16} />} />}
    items={items}
  />
);
