// Describes the app to a Linux desktop: its name, its icon, and what it opens.

/** The text of deepdesk.desktop. `%U`: the desktop passes the folders and deepdesk: URLs to open. */
export function desktopEntry() {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Deepdesk',
    'GenericName=Desktop agent',
    'GenericName[zh_CN]=桌面智能体',
    'Comment=An agent that works in your own folders',
    'Comment[zh_CN]=在你自己的文件夹中工作的智能体',
    'Exec=deepdesk %U',
    'Icon=deepdesk',
    'Terminal=false',
    'StartupWMClass=Deepdesk',
    'StartupNotify=true',
    // One main category: a menu shows the app once for each.
    'Categories=Utility;',
    'Keywords=agent;assistant;AI;files;terminal;',
    'Keywords[zh_CN]=智能体;助手;文件;终端;',
    'MimeType=x-scheme-handler/deepdesk;inode/directory;',
    '',
  ].join('\n');
}
