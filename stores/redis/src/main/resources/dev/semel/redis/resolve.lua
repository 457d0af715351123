-- KEYS record bucket index extras
-- ARGV token decision reason nonce [(result active free total), one packed string, and outcome]
local function resolve(keys, args)
  local now = microseconds()
  local state, _, _, _, token, attempt, _, lease_until = read_head(keys[1])
  local lapsed = state == 'p' and now >= lease_until
  if token ~= tonumber(args[1]) or not (lapsed or state == 'u') then
    return { 0, 0, 0 }
  end
  if args[2] == 'forget' then
    forget(keys[1], keys[4], keys[3])
  elseif args[2] == 'settle' then
    note(keys[1], keys[4], now, attempt, token, 'resolved', args[3])
    -- Another nonce, so that the attempt that owned the key can no longer write to it.
    store_outcome(keys, redis.call('GET', keys[1]), args[4], now, args[5], args[6])
  elseif lapsed then
    set_state(keys[1], 'u')
    note(keys[1], keys[4], now, attempt, token, 'marked unknown', args[3])
  end
  return { 1, tick(keys[2], now) }
end
