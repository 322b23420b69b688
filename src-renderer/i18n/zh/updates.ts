import type { updates as en, updateWays as enWays } from '../en/updates';
import type { Same } from '../types';

export const updates: Same<typeof en> = {
  title: '更新',
  switch: '检查更新',
  switchHint: 'Deepdesk 每天向更新服务器请求一次版本列表，并下载新版本。新版本会在你退出时安装。',
  check: '立即检查',
  off: '已关闭。Deepdesk 不会查找新版本。',
  idle: '尚未检查。',
  checking: '正在检查…',
  current: '已是最新版本。检查时间：{moment}。',
  downloading: '正在下载版本 {version}：{percent}%',
  cancel: '取消下载',
  ready: '版本 {version} 已就绪，会在你退出 Deepdesk 时安装。',
  restart: '立即重启',
  show: '查看',
  notes: '版本 {version} 的新内容',
};

export const updateWays: Same<typeof enWays> = {
  unconfigured: '此版本不会自行更新：构建时没有设置更新服务器。请从获取此版本的地方获取新版本。',
  deb: '软件包管理器会更新 Deepdesk。如果已设置其软件源，请运行：{command}。否则请安装新的 deb。',
  rpm: '软件包管理器会更新 Deepdesk。如果已设置其软件源，请运行：{command}。否则请安装新的 rpm。',
  archive: '要更新，请将新的 tar.gz 解压到此文件夹或其旁边：{command}',
  portable: '要更新，请用新的便携程序替换它。',
  source: 'Deepdesk 从源代码运行。要更新，请运行：{command}',
};
