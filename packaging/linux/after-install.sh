#!/bin/sh
# Runs as root after the deb or rpm package was installed or upgraded.
set -e

app=/usr/lib/deepdesk
profile=/etc/apparmor.d/deepdesk

# Chromium's helper for systems without user namespaces. rpmbuild drops the bit.
chmod 4755 "$app/chrome-sandbox"

# Versions of AppArmor before 4 do not know the rule, and do not need it.
if command -v apparmor_parser >/dev/null 2>&1 &&
  apparmor_parser --skip-kernel-load --skip-cache "$app/apparmor-profile" >/dev/null 2>&1; then
  install -m 0644 "$app/apparmor-profile" "$profile"
  # Fails where the kernel has no AppArmor, such as in a container.
  apparmor_parser --replace --skip-cache "$profile" >/dev/null 2>&1 || true
fi
