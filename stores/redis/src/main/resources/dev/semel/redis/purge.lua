-- KEYS index record...
local function purge(keys, args)
  local now = microseconds()
  local removed = 0
  for i = 2, #keys do
    local record = redis.call('HMGET', keys[i], 'state', 'purge')
    if not record[1] then
      -- Its time to live has ended.
      redis.call('ZREM', keys[1], digest_of(keys[i]))
    elseif record[2] and now >= tonumber(record[2]) then
      forget(keys[i], keys[1])
      removed = removed + 1
    end
  end
  return { removed }
end
