-- Records whose QUERY_FIELD, number or bucket, equals a random one that exists.
local common = require("common")
init = common.start

local field = os.getenv("QUERY_FIELD")
local per_value = field == "bucket" and 100 or 1

function request()
    return common.post(string.format(
        '{"query":{"recordType":"Item","filterBy":[{"fieldName":"%s","comparator":"EQUALS",'
            .. '"fieldValue":{"value":%d,"type":"INT64"}}]},"resultsLimit":100}',
        field, math.floor(common.random_record() / per_value)))
end
