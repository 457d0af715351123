-- head: epoch term clock nonce fingerprint lease takeover tick, packed; who: its length and itself, as in a record
local function claim(name, bucket, now, head, who)
  local epoch, term_seen, clock_seen, owner, lease, takeover, ticks = struct.unpack('>dddc49dc1c1', head)
  local record = redis.call('GET', name)
  local refusal, marker, term, clock, new_term =
    enter(bucket, redis.call('GET', bucket), now, epoch, term_seen, clock_seen)
  if refusal then
    return refusal
  end
  local state, extras, nonce, fingerprint, token, attempt, claimed, lease_until, settled_at, expires, free, _, length
  local settled, fresh, mine, alike = false, true, false, true
  if record then
    state, extras, nonce, fingerprint, token, attempt, claimed, lease_until, settled_at, expires, free, _, length =
      struct.unpack(HEAD, record)
    settled = state == 's' or state == 'f'
    fresh = settled and now >= free
    mine = state == 'p' and nonce == string.sub(owner, 1, 16)
    -- Fingerprints of different versions cannot be compared.
    alike = fresh or string.byte(fingerprint) ~= string.byte(owner, 17) or fingerprint == string.sub(owner, 17)
  end

  if fresh or (state == 'p' and not mine and now >= lease_until and takeover == '1' and alike) then
    local taken = token
    token = math.max(now, clock + 1)
    clock = token
    if fresh then
      if extras == '1' then
        redis.call('UNLINK', extras_of(name))
      end
      extras, attempt = '0', 1
      marker = list_key(marker, bucket, name, clock, 0)
    else
      note(name, extras_of(name), now, attempt, taken, 'taken over',
        string.format('its lease had lapsed %.3f s before', (now - lease_until) / 1000000))
      extras, attempt = '1', attempt + 1
      marker = set_clock(marker, clock)
    end
    redis.call('MSET',
      name, 'p' .. extras .. owner .. struct.pack('>dI4dd', token, attempt, now, now + lease) .. UNSETTLED .. who,
      bucket, marker)
  else
    -- A caller that waits for replicas must have written something to wait for.
    if ticks == '1' then
      clock = math.max(now, clock + 1)
      redis.call('SET', bucket, set_clock(marker, clock))
    elseif new_term then
      redis.call('SET', bucket, marker)
    end
    if not mine then
      if settled and now >= expires then
        return { 'expired', term, clock }
      elseif not alike then
        return { 'mismatch', term, clock }
      elseif settled then
        return { 'settled', term, clock, settled_at, expires, token, length, string.sub(record, HEAD_LENGTH + 1) }
      elseif state == 'p' and now < lease_until then
        return { 'in flight', term, clock, now - claimed, lease_until - now }
      end
      return { 'unknown', term, clock }
    end
  end

  -- A packed string, because a table is dear; but steps need one.
  local acquired = struct.pack('>dddI4', term, clock, token, attempt)
  if extras == '0' then
    return acquired
  end
  local answer = { 'acquired', acquired }
  local fields = redis.call('HGETALL', extras_of(name))
  for i = 1, #fields, 2 do
    if string.sub(fields[i], 1, 2) == 's:' then
      answer[#answer + 1] = string.sub(fields[i], 3)
      answer[#answer + 1] = fields[i + 1]
    end
  end
  return answer
end
