import { existsSync } from 'node:fs';

/** A program that forwards connections from a port on the sandbox's loopback to the proxy's socket outside. */
export interface Bridge {
  /** Absolute path. */
  program: string;
  /** Arguments, with the paths inside the sandbox. */
  args: string[];
}

/** The proxy's port for commands, in their own network namespace where nothing else listens. */
export const BRIDGE_PORT = 8_118;

/**
 * Both programs take pairs of a port and a socket. They exit once a forked copy listens on all ports, so that the command does
 * not start earlier. Each direction of a connection has its own process, so neither waits for the other. Perl is part of every
 * Debian and of most systems with git.
 */
const PERL = `
use strict; use IO::Socket::INET; use IO::Socket::UNIX;
my @all; while (my ($port, $path) = splice @ARGV, 0, 2) {
  my $l = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 128, ReuseAddr => 1) or next;
  push @all, [$l, $path] }
exit 1 unless @all;
exit 0 if fork;
open STDIN, '<', '/dev/null'; open STDOUT, '>', '/dev/null'; open STDERR, '>', '/dev/null';
$SIG{CHLD} = 'IGNORE'; $SIG{PIPE} = 'IGNORE';
my ($l, $path) = @{shift @all};
for my $other (@all) { next if fork; ($l, $path) = @$other; last }
sub copy { my ($from, $to) = @_; my $b; while (sysread $from, $b, 65536) { my $o = 0;
  while ($o < length $b) { my $n = syswrite $to, $b, length($b) - $o, $o; exit unless $n; $o += $n } } shutdown $to, 1 }
while (1) { my $c = $l->accept or next; next if fork; close $l;
  my $u = IO::Socket::UNIX->new($path) or exit;
  if (fork) { copy($c, $u) } else { copy($u, $c) } exit }
`;

const PYTHON = `
import os, signal, socket, sys
every = []
for port, path in zip(sys.argv[1::2], sys.argv[2::2]):
    l = socket.socket(); l.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try: l.bind(('127.0.0.1', int(port))); l.listen(128)
    except OSError: continue
    every.append((l, path))
if not every: os._exit(1)
if os.fork(): os._exit(0)
n = os.open('/dev/null', os.O_RDWR)
for d in (0, 1, 2): os.dup2(n, d)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
l, path = every[0]
for other in every[1:]:
    if os.fork() == 0:
        l, path = other
        break
def copy(a, b):
    while True:
        d = a.recv(65536)
        if not d: break
        b.sendall(d)
    b.shutdown(socket.SHUT_WR)
while True:
    c, _ = l.accept()
    if os.fork(): c.close(); continue
    l.close()
    try:
        u = socket.socket(socket.AF_UNIX); u.connect(path)
        copy(c, u) if os.fork() else copy(u, c)
    finally: os._exit(0)
`;

/** The bridge that this system can run; null if neither program is in its standard place. */
export function findBridge(isThere: (path: string) => boolean = existsSync): Bridge | null {
  if (isThere('/usr/bin/perl')) return { program: '/usr/bin/perl', args: ['-e', PERL] };
  if (isThere('/usr/bin/python3')) return { program: '/usr/bin/python3', args: ['-I', '-c', PYTHON] };
  return null;
}
