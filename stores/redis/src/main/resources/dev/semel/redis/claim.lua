-- head: lease takeover; body: nonce, fingerprint and who, as in a record
local function claim(work, marker, name, record, heads, at, body)
  local lease, takeover
  lease, takeover, at = struct.unpack('>dB', heads, at)
  if marker.refusal then
    return marker.refusal, at
  end
  local now = work.now
  if not record then
    local token = tick(marker, now)
    local fresh = work.fresh
    fresh[#fresh + 1] = name
    fresh[#fresh + 1] = PENDING .. struct.pack(CLAIMED, '0', token, 1, now, now + lease) .. body
    list_key(marker, name, NOT_SETTLED)
    -- Most claims end here; any other answer is a table, which is dear.
    return token, at
  end

  local state, settled_at, expires, free, _, extras, token, attempt, claimed, lease_until, nonce, fingerprint =
    struct.unpack(HEAD, record)
  local settled = state == 's' or state == 'f'
  local reused = settled and now >= free
  local mine = state == 'p' and nonce == string.sub(body, 1, 16)
  -- Fingerprints of different versions cannot be compared.
  local alike = reused or string.byte(fingerprint) ~= string.byte(body, 17) or fingerprint == string.sub(body, 17, 49)
  local taken = state == 'p' and not mine and now >= lease_until and takeover == 1 and alike
  if reused or taken then
    local before, extras_key, had_extras = token, extras_of(name), extras == '1'
    token = tick(marker, now)
    if reused then
      if had_extras then
        work.extras[#work.extras + 1] = function() redis.call('UNLINK', extras_key) end
      end
      extras, attempt = '0', 1
      list_key(marker, name, NOT_SETTLED)
    else
      local text = string.format('its lease had lapsed %.3f s before', (now - lease_until) / 1000000)
      local attempt_before = attempt
      work.extras[#work.extras + 1] = function()
        note(extras_key, now, attempt_before, before, 'taken over', text)
      end
      extras, attempt = '1', attempt + 1
    end
    local replaced = work.replaced
    replaced[#replaced + 1] = name
    replaced[#replaced + 1] = PENDING .. struct.pack(CLAIMED, extras, token, attempt, now, now + lease) .. body
  elseif not mine then
    if settled and now >= expires then
      return { 'expired' }, at
    elseif not alike then
      return { 'mismatch' }, at
    elseif settled then
      return { 'settled', settled_at, expires, token, string.sub(record, AT_WHO + 1) }, at
    elseif state == 'p' and now < lease_until then
      return { 'in flight', now - claimed, lease_until - now }, at
    end
    return { 'unknown' }, at
  end

  local answer = { 'acquired', token, attempt }
  if extras == '1' then
    local fields = redis.call('HGETALL', extras_of(name))
    for i = 1, #fields, 2 do
      if string.sub(fields[i], 1, 2) == 's:' then
        answer[#answer + 1] = string.sub(fields[i], 3)
        answer[#answer + 1] = fields[i + 1]
      end
    end
  end
  return answer, at
end
