-- Four lookups to one create, in a random order.
local create = require("create_body")
local common = require("common")
init = common.start

local lookup = os.getenv("BENCH_LOOKUP")

function request()
    if math.random(5) == 1 then return common.post(create.body()) end
    return wrk.format("POST", lookup, common.headers,
        string.format('{"records":[{"recordName":"item-%d"}]}', common.random_record()))
end
