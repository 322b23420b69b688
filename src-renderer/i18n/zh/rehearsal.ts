import type { rehearsal as en } from '../en/rehearsal';
import type { Same } from '../types';

export const rehearsal: Same<typeof en> = {
  isHere: '命令先在一次性图层中运行，然后再询问你是否保留其更改。',
  limits:
    '命令占用的磁盘空间超过 {disk}、文件超过 {files} 个、进程超过 {processes} 个或内存超过 {memory} 时，Deepdesk 会停止它。Deepdesk 每秒检查几次，因此命令可能会短暂超出限制。',
  isMissing: 'Deepdesk 无法在这里的一次性图层中运行命令，因此会在运行前询问。',
  platform: '需要 Linux。',
  no_sandbox: '此系统没有沙箱。',
  no_user_namespaces: '系统不允许用户命名空间。',
  no_overlay: '系统不允许 overlay 挂载。',
  mounts_below: '文件夹中挂载了其他磁盘。',
  case_folding: '文件夹不区分文件名大小写。',
  no_modes: '文件夹所在的文件系统不保存文件权限，例如 FAT、exFAT 或 NTFS 磁盘。',
  no_links: '文件夹所在的文件系统不支持符号链接。',
  file_system: '文件夹所在的文件系统不支持。',
  network_file_system: '文件夹位于网络文件系统上。',
  contains_data_folder: '文件夹包含 Deepdesk 的数据文件夹。',
  data_folder_on_overlay: 'Deepdesk 数据文件夹所在的文件系统不支持。',
  remote: '文件夹位于另一台计算机上。',
  turned_off: '一次性图层已关闭。',
  failed: '测试命令失败。',
};
