-- Claims and settles that came at the same time, each with its own answer. What a call costs however little it does is
-- most of what one of them would cost alone.
-- KEYS the record and the marker of each
-- ARGV what each is (c claim, s settle, one letter each), then the two arguments of each; what is packed is one
-- argument, because each costs as much as a small command
local function batch(keys, args)
  local kinds = args[1]
  local now = microseconds()
  local answers = {}
  for i = 1, #kinds do
    local run = string.byte(kinds, i) == 99 and claim or settle
    answers[i] = run(keys[2 * i - 1], keys[2 * i], now, args[2 * i], args[2 * i + 1])
  end
  return answers
end
