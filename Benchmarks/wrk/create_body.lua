-- New records; CREATE_BATCH of them in a request when that is set, with CREATE_MORE among their fields.
local create = {}

local batch = tonumber(os.getenv("CREATE_BATCH") or "1")
local run = os.getenv("CREATE_RUN") or "run"
local more = os.getenv("CREATE_MORE") or ""
local counter = 0
local note = string.rep("a note, ", 12)

local function operation()
    counter = counter + 1
    return string.format(
        '{"operationType":"create","record":{"recordType":"Made","recordName":"%s-%d-%d","fields":{'
            .. '"title":{"value":"Item number %d","type":"STRING"},"number":{"value":%d,"type":"INT64"},'
            .. '"bucket":{"value":%d,"type":"INT64"},"price":{"value":%d.5,"type":"DOUBLE"},'
            .. '"note":{"value":"%s","type":"STRING"}%s}}}',
        run, thread_number, counter, counter, counter, counter % 1000, counter % 1000, note, more)
end

function create.body()
    local operations = {}
    for i = 1, batch do operations[i] = operation() end
    return '{"operations":[' .. table.concat(operations, ",") .. "]}"
end

return create
