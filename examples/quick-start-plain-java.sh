#!/bin/sh
# Types the program of docs/getting-started/plain-java.md into a new project, and runs it twice with one order.
set -eu
# shellcheck source=examples/quick-start-parts.sh
. "$(dirname -- "$0")/quick-start-parts.sh"

quoted() {
    typed docs/getting-started/plain-java.md '# Getting started with plain Java' "$@"
}

deploy stores/jdbc,jackson,bom
{
    quoted xml 1
    dependency tools.jackson.core jackson-databind "$(version jackson3)"
    dependency org.xerial sqlite-jdbc "$(version sqlite-jdbc)"
} | pom "<dependencyManagement><dependencies>
    $(bom dev.semel semel-bom "$(semel)")
  </dependencies></dependencyManagement>"
{
    echo 'package com.example;'
    quoted java 1
} >"$project/src/main/java/com/example/Charges.java"

compile
cd "$work"
first=$(run Charges order-1)
second=$(run Charges order-1)
other=$(run Charges order-2)
echo "$first" | grep -q '^Receipt\[id=.*, cents=4200]$' || { echo "$first" >&2; exit 1; }
[ "$first" = "$second" ] || { echo "$second" >&2; exit 1; }
[ "$first" != "$other" ] || { echo "$other" >&2; exit 1; }
[ -f keys.db ] || { echo "there is no keys.db" >&2; exit 1; }
echo "the quick start works: $second, twice"
