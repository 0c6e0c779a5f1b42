#!/bin/bash
# Replaces the processes of docker/compose.scaled.yaml one after the other, so that no request is lost:
#
#   docker compose -f docker/compose.scaled.yaml build && docker/rolling-restart.sh
set -euo pipefail

compose() { docker compose -f "$(dirname "$0")/compose.scaled.yaml" "$@"; }
# The proxy takes one command for each connection.
tell() { compose exec -T proxy bash -c 'exec 3<>/dev/tcp/127.0.0.1/9999 && echo "$0" >&3 && cat <&3' "$1"; }

for app in app1 app2 app3; do
  tell "set server hookline/$app state drain"
  sleep 2 # what the proxy has sent by now arrives
  compose up --detach --no-deps --force-recreate --wait "$app"
  tell "set server hookline/$app state ready"
  until tell 'show servers state hookline' | grep -q " $app [^ ]* 2 "; do sleep 1; done
  echo "$app is replaced."
done
