-- KEYS record marker
-- ARGV nonce token reason
local function abandon(keys, args)
  local state, _, attempt = read_own(keys[1], args[1], args[2])
  if state ~= 'p' and state ~= 'u' then
    return 0
  end
  local now = microseconds()
  if state == 'p' then
    set_state(keys[1], 'u')
    note(keys[1], extras_of(keys[1]), now, attempt, tonumber(args[2]), 'marked unknown', args[3])
  end
  return write_marker(keys[1], keys[2], redis.call('GET', keys[2]), now)
end
