-- head: nonce token result active free total, packed
local function settle(name, bucket, now, head, outcome)
  local nonce, token, result, active, free, total = struct.unpack('>c16dc1ddd', head)
  local record = redis.call('GET', name)
  if not record then
    return 0
  end
  local state, _, owner, _, owned = struct.unpack('>c1c1c16c33d', record)
  if owner ~= nonce or owned ~= token then
    return 0
  end
  local purge
  if state == 'p' or state == 'u' then
    purge = store_outcome(name, record, nonce, now, result, active, free, total, outcome)
  end
  return write_marker(name, bucket, redis.call('GET', bucket), now, purge)
end
