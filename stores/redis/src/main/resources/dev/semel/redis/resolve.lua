-- KEYS record marker
-- ARGV token decision [reason nonce] [(result active free total), one packed string, and outcome]
local function resolve(keys, args)
  local now = microseconds()
  local state, _, _, _, token, attempt, _, lease_until = read_head(keys[1])
  local lapsed = state == 'p' and now >= lease_until
  local open = lapsed or state == 'u'
  local settled = state == 's' or state == 'f'
  local erase = args[2] == 'erase'
  if token ~= tonumber(args[1]) or (erase and not settled) or (not erase and not open) then
    return 0
  end
  local marker = redis.call('GET', keys[2])
  local purge
  if erase or args[2] == 'forget' then
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
