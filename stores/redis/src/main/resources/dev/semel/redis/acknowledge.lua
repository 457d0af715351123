-- Begins a new epoch of a bucket: what was lost is lost. Returns the epoch, and what had become of the one before.
-- KEYS bucket index
-- ARGV epoch (0 for one made of this server's clock), the least that it may then be
local function acknowledge(keys, args)
  local read = redis.call('HMGET', keys[1], 'epoch', 'clock', 'lost')
  local now = microseconds()
  local clock = math.max(now, (tonumber(read[2]) or 0) + 1)
  local epoch = args[1]
  if epoch == '0' then
    epoch = string.format('%.0f', math.max(clock, tonumber(args[2])))
  end
  redis.call('HSET', keys[1], 'epoch', epoch, 'by', 'operator', 'clock', clock, 'ready', 1)
  redis.call('HDEL', keys[1], 'lost', 'was')
  open_index(keys[2])
  begin_term(keys[1], now, clock, replication_id(now))
  local before = 'intact'
  if not read[1] then
    before = 'missing'
  elseif read[3] then
    before = 'lost'
  end
  return { epoch, before }
end
