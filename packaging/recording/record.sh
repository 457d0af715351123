#!/bin/sh
# Records docs/images/demo.svg again: starts the demo, records session.sh with asciinema, and makes an SVG of that.
# Needs Debian's asciinema, curl and python3, and the ports of the demo.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$here/../..
work=$(mktemp -d)
: >"$work/demo.log"
"$root/semel" demo >"$work/demo.log" 2>&1 &
demo=$!
trap 'kill "$demo"; rm -rf "$work"' EXIT
until grep -q 'Stop with Ctrl-C' "$work/demo.log"; do
    kill -0 "$demo" || { cat "$work/demo.log" >&2; exit 1; }
    sleep 1
done
# The demo makes a transfer of its own first.
sleep 2
asciinema rec --quiet --idle-time-limit 1 --overwrite --cols 108 --rows 34 --command "bash '$here/session.sh'" "$work/session.cast"
python3 "$here/cast_to_svg.py" "$work/session.cast" >"$root/docs/images/demo.svg"
