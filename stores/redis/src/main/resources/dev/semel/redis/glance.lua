-- What statistics need of a record.
-- KEYS record
local function glance(keys, args)
  local record = read_record(keys[1])
  if not record then
    return { 'absent', 0 }
  end
  local now = microseconds()
  local state, age = record.state, now - record.claimed
  if state == 'u' then
    return { 'unknown', age }
  elseif state == 'p' then
    return { now < record.lease_until and 'pending' or 'lapsed', age }
  elseif now >= record.expires then
    return { 'expired', age }
  end
  return { state == 's' and 'succeeded' or 'failed', age }
end
