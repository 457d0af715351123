-- Notes that set-up is complete.
-- KEYS marker
local function ready(keys, args)
  redis.call('SETRANGE', keys[1], AT_READY, '1')
  return { 1 }
end
