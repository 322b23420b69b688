#!/bin/sh
# Runs as root after the deb or rpm package was removed, and when it was upgraded. People's data stays.
set -e

# dpkg says "remove" or "purge", rpm the number of versions that stay.
case "$1" in
  remove | purge | 0)
    profile=/etc/apparmor.d/deepdesk
    if [ -e "$profile" ]; then
      apparmor_parser --remove "$profile" >/dev/null 2>&1 || true
      rm -f "$profile"
    fi
    ;;
esac
