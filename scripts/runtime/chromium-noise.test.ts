import { describe, expect, it } from 'vitest';
import { isNoise, lineFilter, saysDisplayGone, withoutNoise } from './chromium-noise.mjs';

const NOISE = [
  '[4381:1122/091456.353519:ERROR:bus.cc(407)] Failed to connect to the bus: Failed to connect to socket /run/dbus/system_bus_socket: No such file or directory',
  '[4381:1122/091457.037740:ERROR:bus.cc(407)] Failed to connect to the bus: Could not parse server address: Unknown address type (examples of valid types are "tcp" and on UNIX "unix")',
  '[4381:4381:1122/091457.037740:ERROR:dbus/bus.cc:408] Failed to connect to the bus: Could not parse server address',
  '[4449:1122/091457.612017:ERROR:viz_main_impl.cc(181)] Exiting GPU process due to errors during initialization',
  '[11612:1130/211053.617808:ERROR:gles2_cmd_decoder_passthrough.cc(933)] ContextResult::kFatalFailure: fail_if_major_perf_caveat + swiftshader',
  '[4489:1122/091457.789235:ERROR:command_buffer_proxy_impl.cc(131)] ContextResult::kTransientFailure: Failed to send GpuControl.CreateCommandBuffer.',
  '[4381:1122/091458.189464:ERROR:object_proxy.cc(576)] Failed to call method: org.freedesktop.DBus.NameHasOwner: object_path= /org/freedesktop/DBus: unknown error type: ',
  '[12:0101/000000.000001:ERROR:gl_factory.cc(102)] Requested GL implementation (gl=none,angle=none) not found',
  '[12:0101/000000.000001:WARNING:vaapi_wrapper.cc(1530)] drmGetDevices2() has not found any devices',
  'libva error: vaGetDriverNameByIndex() failed with unknown libva error',
  'libGL error: MESA-LOADER: failed to retrieve device information',
  'Gtk-Message: 10:00:00.000: Failed to load module "canberra-gtk-module"',
];

const SAID = [
  '[deepdesk] cannot start: the database is locked',
  '[4381:1122/091457.037740:FATAL:bus.cc(407)] Failed to connect to the bus: it is gone',
  '[4381:1122/091457.037740:ERROR:bus.cc(407)] something else about a bus',
  '[4381:1122/091457.037740:ERROR:zygote_host_impl_linux.cc(100)] Running as root without --no-sandbox is not supported.',
  '[4381:1122/091457.037740:ERROR:ssl_client_socket_impl.cc(970)] handshake failed',
  'Error: Failed to connect to the bus: in a line of a program',
  'DevTools listening on ws://127.0.0.1:1/devtools/browser/1',
  '',
];

describe('Chromium noise', () => {
  it.each(NOISE)('is %s', (line) => expect(isNoise(line)).toBe(true));
  it.each(SAID)('is not "%s"', (line) => expect(isNoise(line)).toBe(false));

  it('is removed from a text whose rest stays unchanged', () => {
    const text = [...SAID, NOISE[0], SAID[0], ...NOISE, 'last without an end'].join('\n');
    expect(withoutNoise(text)).toBe([...SAID, SAID[0], 'last without an end'].join('\n'));
    expect(withoutNoise('a\r\nb\r\n')).toBe('a\r\nb\r\n');
  });

  it('is found however the text is split, even inside a multibyte character', () => {
    const text = `${NOISE[0]}\nwörds 文件\n${NOISE[3]}\n[y/n] `;
    for (let size = 1; size < 12; size += 1) {
      let kept = '';
      const filter = lineFilter((part) => {
        kept += part;
      });
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += size) filter.write(bytes.subarray(at, at + size));
      filter.end();
      expect(kept).toBe('wörds 文件\n[y/n] ');
    }
  });

  it('does not delay a prompt without a line break', () => {
    for (const question of ['Password: ', '[y/n] ', 'libre? ']) {
      let kept = '';
      const filter = lineFilter((part) => {
        kept += part;
      });
      filter.write(question);
      if (!question.startsWith('lib')) expect(kept).toBe(question);
      filter.write(`yes\n${NOISE[0]}\n`);
      expect(kept).toBe(`${question}yes\n`);
    }
  });
});

it('includes the message when Chromium loses its display', () => {
  expect(
    saysDisplayGone(
      '[6598:1122/091538.316696:FATAL:electron_browser_main_parts.cc(504)] Failed to shutdown.',
    ),
  ).toBe(true);
  expect(saysDisplayGone('[1:1122/091538.316696:FATAL:other.cc(504)] Failed to shutdown.')).toBe(false);
});
