// The files of Public/texts, by Scripts/list-public.sh.
#include "lists.h"

static const uint8_t texts_en_json[] = {
#embed "../../Public/texts/en.json"
};

const cpublic_file cpublic_texts[] = {
    {"texts/en.json", texts_en_json, sizeof texts_en_json},
    {NULL, NULL, 0},
};
