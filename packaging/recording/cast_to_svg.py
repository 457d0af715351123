#!/usr/bin/env python3
"""Turns a recording of asciinema (version 2) into an animated SVG that plays in a loop, without scripts.

It is for sessions that only append: text, line breaks and colours. A cursor that moves, or a session with more lines
than the recorded terminal, is an error.

    cast_to_svg.py session.cast > demo.svg
"""
import json
import re
import sys
from html import escape

COLUMN, LINE, MARGIN = 8.4, 19, 16
# How many seconds the end stays before the recording starts again.
REST = 4
COLOURS = {"32": "#4ec9a0", "90": "#8b98a9"}
PLAIN = "#e6edf3"
TOKEN = re.compile(r"\x1b\[(\d*)m|(\r?\n)|([^\x1b\r\n]+)")


def pieces(events):
    """Yields (time, column, line, colour, text) of each piece of text."""
    column = line = 0
    colour = PLAIN
    for time, kind, data in events:
        if kind != "o":
            continue
        position = 0
        while position < len(data):
            token = TOKEN.match(data, position)
            if not token:
                raise SystemExit(f"cannot show {data[position:position + 10]!r} at {time} s")
            position = token.end()
            if token.group(1) is not None:
                colour = COLOURS.get(token.group(1), PLAIN)
            elif token.group(2):
                column, line = 0, line + 1
            else:
                yield time, column, line, colour, token.group(3)
                column += len(token.group(3))


def without_waits(events, limit):
    """Shortens pauses to the limit that the recording asks for."""
    last = shown = 0
    for time, kind, data in events:
        shown += min(time - last, limit)
        last = time
        yield shown, kind, data


def joined(parts):
    """Joins what is typed within a tenth of a second, to make the file smaller."""
    last = None
    for time, column, line, colour, text in parts:
        if last and last[2:4] == (line, colour) and time - last[0] < 0.1 and last[1] + len(last[4]) == column:
            last = (*last[:4], last[4] + text)
            continue
        if last:
            yield last
        last = (time, column, line, colour, text)
    if last:
        yield last


def main():
    with open(sys.argv[1], encoding="utf-8") as cast:
        header, *events = [json.loads(line) for line in cast]
    events = list(without_waits(events, header.get("idle_time_limit", float("inf"))))
    parts = list(joined(pieces(events)))
    length = events[-1][0] + REST
    lines = max(part[2] for part in parts) + 1
    if lines > header["height"]:
        raise SystemExit(f"{lines} lines do not fit into {header['height']}")
    width = header["width"] * COLUMN + 2 * MARGIN
    height = lines * LINE + 2 * MARGIN + 16
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" role="img">')
    print("<title>Two requests through Semel, each sent twice: each card is charged once</title>")
    print("<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}")
    for number, (time, *_) in enumerate(parts):
        share = 100 * time / length
        print(f"@keyframes k{number}{{0%,{share:.2f}%{{opacity:0}}{share + 0.01:.2f}%,100%{{opacity:1}}}}"
              f".k{number}{{animation:k{number} {length:.1f}s infinite}}")
    print("@media(prefers-reduced-motion){text{animation:none!important}}</style>")
    print(f'<rect width="100%" height="100%" rx="10" fill="#10181f"/>')
    for number, colour in enumerate(("#ff5f57", "#febc2e", "#28c840")):
        print(f'<circle cx="{MARGIN + 4 + 18 * number}" cy="16" r="5" fill="{colour}"/>')
    for number, (_, column, line, colour, text) in enumerate(parts):
        x, y = MARGIN + column * COLUMN, MARGIN + 32 + line * LINE
        print(f'<text class="k{number}" x="{x:.1f}" y="{y}" fill="{colour}" textLength="{len(text) * COLUMN:.1f}">'
              f"{escape(text)}</text>")
    print("</svg>")


if __name__ == "__main__":
    main()
