#!/bin/bash
# What the recording of the README shows: types commands as a person would, and runs them against a demo that is up.

# Types text $1 in colour $3, with a pause of $2 seconds after every few characters.
type_out() {
    printf '\033[32m$\033[%sm ' "$3"
    for ((i = 0; i < ${#1}; i += 4)); do
        printf '%s' "${1:i:4}"
        sleep "$2"
    done
    printf '\033[0m\n'
}

say() {
    sleep 0.8
    type_out "# $1" 0.02 90
}

run() {
    type_out "$1" 0.045 0
    sleep 0.1
    # A response ends without a line break.
    eval "$1" | sed -e 's/\r$//' -e '$a\'
}

say 'A client charges a card through Semel.'
run "curl -s localhost:8080/charges -H 'Idempotency-Key: order-1' --json '{\"amount\": 100}'"
say 'The answer got lost, and the client retries: the same charge, not a second one.'
run "curl -si localhost:8080/charges -H 'Idempotency-Key: order-1' --json '{\"amount\": 100}'"
say 'The service dies after the charge, before it answers.'
run "curl -si 'localhost:8080/charges?crash=1' -H 'Idempotency-Key: order-2' --json '{\"amount\": 100}' | head -1"
sleep 2.5
say 'Semel has asked the service what happened. The retry gets the charge that was made.'
run "curl -s 'localhost:8080/charges?crash=1' -H 'Idempotency-Key: order-2' --json '{\"amount\": 100}'"
say 'Two orders, two charges:'
run "curl -s localhost:8082/charges | grep -o 'order-[0-9]'"
sleep 2
