-- KEYS record marker
-- ARGV token decision reason nonce [(result active free total), one packed string, and outcome]
local function resolve(keys, args)
  local now = microseconds()
  local state, _, _, _, token, attempt, _, lease_until = read_head(keys[1])
  local lapsed = state == 'p' and now >= lease_until
  if token ~= tonumber(args[1]) or not (lapsed or state == 'u') then
    return 0
  end
  local marker = redis.call('GET', keys[2])
  local purge
  if args[2] == 'forget' then
    marker = forget(keys[1], keys[2], marker)
  elseif args[2] == 'settle' then
    note(keys[1], extras_of(keys[1]), now, attempt, token, 'resolved', args[3])
    -- Another nonce, so that the attempt that owned the key can no longer write to it.
    local result, active, free, total = struct.unpack('>c1ddd', args[5])
    purge = store_outcome(keys[1], redis.call('GET', keys[1]), args[4], now, result, active, free, total, args[6])
  elseif lapsed then
    set_state(keys[1], 'u')
    note(keys[1], extras_of(keys[1]), now, attempt, token, 'marked unknown', args[3])
  end
  return write_marker(keys[1], keys[2], marker, now, purge)
end
