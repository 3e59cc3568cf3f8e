// The files of Public/texts, by Scripts/list-public.sh.
#include "lists.h"

static const uint8_t texts_ar_json[] = {
#embed "../../Public/texts/ar.json"
};

static const uint8_t texts_de_json[] = {
#embed "../../Public/texts/de.json"
};

static const uint8_t texts_en_json[] = {
#embed "../../Public/texts/en.json"
};

static const uint8_t texts_es_json[] = {
#embed "../../Public/texts/es.json"
};

static const uint8_t texts_fr_json[] = {
#embed "../../Public/texts/fr.json"
};

static const uint8_t texts_it_json[] = {
#embed "../../Public/texts/it.json"
};

static const uint8_t texts_ja_json[] = {
#embed "../../Public/texts/ja.json"
};

static const uint8_t texts_ko_json[] = {
#embed "../../Public/texts/ko.json"
};

static const uint8_t texts_nl_json[] = {
#embed "../../Public/texts/nl.json"
};

static const uint8_t texts_pl_json[] = {
#embed "../../Public/texts/pl.json"
};

static const uint8_t texts_pt_BR_json[] = {
#embed "../../Public/texts/pt-BR.json"
};

static const uint8_t texts_ru_json[] = {
#embed "../../Public/texts/ru.json"
};

static const uint8_t texts_tr_json[] = {
#embed "../../Public/texts/tr.json"
};

static const uint8_t texts_zh_Hans_json[] = {
#embed "../../Public/texts/zh-Hans.json"
};

const cpublic_file cpublic_texts[] = {
    {"texts/ar.json", texts_ar_json, sizeof texts_ar_json},
    {"texts/de.json", texts_de_json, sizeof texts_de_json},
    {"texts/en.json", texts_en_json, sizeof texts_en_json},
    {"texts/es.json", texts_es_json, sizeof texts_es_json},
    {"texts/fr.json", texts_fr_json, sizeof texts_fr_json},
    {"texts/it.json", texts_it_json, sizeof texts_it_json},
    {"texts/ja.json", texts_ja_json, sizeof texts_ja_json},
    {"texts/ko.json", texts_ko_json, sizeof texts_ko_json},
    {"texts/nl.json", texts_nl_json, sizeof texts_nl_json},
    {"texts/pl.json", texts_pl_json, sizeof texts_pl_json},
    {"texts/pt-BR.json", texts_pt_BR_json, sizeof texts_pt_BR_json},
    {"texts/ru.json", texts_ru_json, sizeof texts_ru_json},
    {"texts/tr.json", texts_tr_json, sizeof texts_tr_json},
    {"texts/zh-Hans.json", texts_zh_Hans_json, sizeof texts_zh_Hans_json},
    {NULL, NULL, 0},
};
