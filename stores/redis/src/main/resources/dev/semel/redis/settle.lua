-- KEYS record bucket index extras
-- ARGV (nonce token) (result active free total) outcome; what is in brackets is one packed string
local function settle(keys, args)
  local nonce, token = struct.unpack('>c16d', args[1])
  local record = redis.call('GET', keys[1])
  if not record then
    return { 0, 0, 0 }
  end
  local state, _, owner, _, owned = struct.unpack('>c1c1c16c33d', record)
  if owner ~= nonce or owned ~= token then
    return { 0, 0, 0 }
  end
  local now = microseconds()
  local term, clock = tick(keys[2], now)
  if state == 'p' or state == 'u' then
    store_outcome(keys, record, nonce, now, args[2], args[3])
  end
  return { 1, term, clock }
end
