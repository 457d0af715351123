-- KEYS record bucket index extras
-- ARGV nonce token reason
local function abandon(keys, args)
  local state, _, attempt = read_own(keys[1], args[1], args[2])
  if state ~= 'p' and state ~= 'u' then
    return { 0, 0, 0 }
  end
  local now = microseconds()
  if state == 'p' then
    set_state(keys[1], 'u')
    note(keys[1], keys[4], now, attempt, tonumber(args[2]), 'marked unknown', args[3])
  end
  return { 1, tick(keys[2], now) }
end
