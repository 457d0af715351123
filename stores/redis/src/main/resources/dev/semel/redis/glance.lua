-- What statistics need of a record.
-- KEYS record
local function glance(keys, args)
  local state, _, expires, _, _, _, _, _, claimed, lease_until = read_head(keys[1])
  if not state then
    return { 'absent', 0 }
  end
  local now = microseconds()
  local age = now - claimed
  if state == 'u' then
    return { 'unknown', age }
  elseif state == 'p' then
    return { now < lease_until and 'pending' or 'lapsed', age }
  elseif now >= expires then
    return { 'expired', age }
  end
  return { state == 's' and 'succeeded' or 'failed', age }
end
