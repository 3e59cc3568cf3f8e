-- Updates with the tag of the version that is there. BENCH_TAGS is a file of names and tags, shared out between the
-- threads; each answer brings the next tag of its record.
local common = require("common")

local ready, first, last = {}, 1, 0
local note = string.rep("a note, ", 12)
local counter = 0

local function put(name, tag)
    last = last + 1
    ready[last] = { name, tag }
end

function init()
    common.start()
    local line = 0
    for name, tag in io.open(os.getenv("BENCH_TAGS")):read("*a"):gmatch("(%S+) (%S+)\n") do
        if line % 2 == thread_number then put(name, tag) end
        line = line + 1
    end
end

function request()
    local name, tag = unpack(ready[first])
    ready[first] = nil
    first = first + 1
    counter = counter + 1
    return common.post(string.format(
        '{"operations":[{"operationType":"update","record":{"recordType":"Item","recordName":"%s","recordChangeTag":"%s",'
            .. '"fields":{"number":{"value":%d,"type":"INT64"},"note":{"value":"%s","type":"STRING"}}}}]}',
        name, tag, counter + 200000000, note))
end

function response(status, headers, body)
    local name, tag = body:match('"recordName":"(item%-%d+)"'), body:match('"recordChangeTag":"([^"]+)"')
    if not tag then error("an update was refused: " .. body) end
    put(name, tag)
end
