-- What statistics need of a record.
-- KEYS record
local function glance(keys, args)
  local record = redis.call('HMGET', keys[1], 'state', 'claimed', 'until', 'expires')
  if not record[1] then
    return { 'absent', 0 }
  end
  local now = microseconds()
  local age = now - record[2]
  if record[1] == 'u' then
    return { 'unknown', age }
  elseif record[1] == 'p' then
    return { now < tonumber(record[3]) and 'pending' or 'lapsed', age }
  elseif now >= tonumber(record[4]) then
    return { 'expired', age }
  end
  return { record[1] == 's' and 'succeeded' or 'failed', age }
end
