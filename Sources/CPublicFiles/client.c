// The files of Public/client, by Scripts/list-public.sh.
#include "lists.h"

static const uint8_t client_README_md[] = {
#embed "../../Public/client/README.md"
};

static const uint8_t client_cloudkit_js_d_ts[] = {
#embed "../../Public/client/cloudkit-js.d.ts"
};

static const uint8_t client_cloudkit_js_js[] = {
#embed "../../Public/client/cloudkit-js.js"
};

static const uint8_t client_cumulus_d_ts[] = {
#embed "../../Public/client/cumulus.d.ts"
};

static const uint8_t client_cumulus_js[] = {
#embed "../../Public/client/cumulus.js"
};

static const uint8_t client_lib_assets_js[] = {
#embed "../../Public/client/lib/assets.js"
};

static const uint8_t client_lib_batch_js[] = {
#embed "../../Public/client/lib/batch.js"
};

static const uint8_t client_lib_changes_js[] = {
#embed "../../Public/client/lib/changes.js"
};

static const uint8_t client_lib_container_js[] = {
#embed "../../Public/client/lib/container.js"
};

static const uint8_t client_lib_database_js[] = {
#embed "../../Public/client/lib/database.js"
};

static const uint8_t client_lib_errors_js[] = {
#embed "../../Public/client/lib/errors.js"
};

static const uint8_t client_lib_key_value_js[] = {
#embed "../../Public/client/lib/key-value.js"
};

static const uint8_t client_lib_notifications_js[] = {
#embed "../../Public/client/lib/notifications.js"
};

static const uint8_t client_lib_portions_js[] = {
#embed "../../Public/client/lib/portions.js"
};

static const uint8_t client_lib_records_js[] = {
#embed "../../Public/client/lib/records.js"
};

static const uint8_t client_lib_session_js[] = {
#embed "../../Public/client/lib/session.js"
};

static const uint8_t client_lib_sign_in_js[] = {
#embed "../../Public/client/lib/sign-in.js"
};

static const uint8_t client_lib_sync_edited_fields_js[] = {
#embed "../../Public/client/lib/sync/edited-fields.js"
};

static const uint8_t client_lib_sync_engine_js[] = {
#embed "../../Public/client/lib/sync/engine.js"
};

static const uint8_t client_lib_sync_fetcher_js[] = {
#embed "../../Public/client/lib/sync/fetcher.js"
};

static const uint8_t client_lib_sync_indexeddb_store_js[] = {
#embed "../../Public/client/lib/sync/indexeddb-store.js"
};

static const uint8_t client_lib_sync_indexes_js[] = {
#embed "../../Public/client/lib/sync/indexes.js"
};

static const uint8_t client_lib_sync_ledger_js[] = {
#embed "../../Public/client/lib/sync/ledger.js"
};

static const uint8_t client_lib_sync_local_query_js[] = {
#embed "../../Public/client/lib/sync/local-query.js"
};

static const uint8_t client_lib_sync_merge_js[] = {
#embed "../../Public/client/lib/sync/merge.js"
};

static const uint8_t client_lib_sync_opening_js[] = {
#embed "../../Public/client/lib/sync/opening.js"
};

static const uint8_t client_lib_sync_order_js[] = {
#embed "../../Public/client/lib/sync/order.js"
};

static const uint8_t client_lib_sync_ordered_map_js[] = {
#embed "../../Public/client/lib/sync/ordered-map.js"
};

static const uint8_t client_lib_sync_schedule_js[] = {
#embed "../../Public/client/lib/sync/schedule.js"
};

static const uint8_t client_lib_sync_sender_js[] = {
#embed "../../Public/client/lib/sync/sender.js"
};

static const uint8_t client_lib_sync_staged_store_js[] = {
#embed "../../Public/client/lib/sync/staged-store.js"
};

static const uint8_t client_lib_sync_staging_js[] = {
#embed "../../Public/client/lib/sync/staging.js"
};

static const uint8_t client_lib_sync_uploader_js[] = {
#embed "../../Public/client/lib/sync/uploader.js"
};

static const uint8_t client_lib_token_stores_js[] = {
#embed "../../Public/client/lib/token-stores.js"
};

static const uint8_t client_lib_transport_js[] = {
#embed "../../Public/client/lib/transport.js"
};

static const uint8_t client_lib_tries_js[] = {
#embed "../../Public/client/lib/tries.js"
};

static const uint8_t client_lib_uuid_js[] = {
#embed "../../Public/client/lib/uuid.js"
};

static const uint8_t client_lib_values_js[] = {
#embed "../../Public/client/lib/values.js"
};

static const uint8_t client_lib_waiting_js[] = {
#embed "../../Public/client/lib/waiting.js"
};

static const uint8_t client_node_d_ts[] = {
#embed "../../Public/client/node.d.ts"
};

static const uint8_t client_node_js[] = {
#embed "../../Public/client/node.js"
};

static const uint8_t client_offline_d_ts[] = {
#embed "../../Public/client/offline.d.ts"
};

static const uint8_t client_offline_js[] = {
#embed "../../Public/client/offline.js"
};

static const uint8_t client_package_json[] = {
#embed "../../Public/client/package.json"
};

static const uint8_t client_testing_d_ts[] = {
#embed "../../Public/client/testing.d.ts"
};

static const uint8_t client_testing_js[] = {
#embed "../../Public/client/testing.js"
};

const cpublic_file cpublic_client[] = {
    {"client/README.md", client_README_md, sizeof client_README_md},
    {"client/cloudkit-js.d.ts", client_cloudkit_js_d_ts, sizeof client_cloudkit_js_d_ts},
    {"client/cloudkit-js.js", client_cloudkit_js_js, sizeof client_cloudkit_js_js},
    {"client/cumulus.d.ts", client_cumulus_d_ts, sizeof client_cumulus_d_ts},
    {"client/cumulus.js", client_cumulus_js, sizeof client_cumulus_js},
    {"client/lib/assets.js", client_lib_assets_js, sizeof client_lib_assets_js},
    {"client/lib/batch.js", client_lib_batch_js, sizeof client_lib_batch_js},
    {"client/lib/changes.js", client_lib_changes_js, sizeof client_lib_changes_js},
    {"client/lib/container.js", client_lib_container_js, sizeof client_lib_container_js},
    {"client/lib/database.js", client_lib_database_js, sizeof client_lib_database_js},
    {"client/lib/errors.js", client_lib_errors_js, sizeof client_lib_errors_js},
    {"client/lib/key-value.js", client_lib_key_value_js, sizeof client_lib_key_value_js},
    {"client/lib/notifications.js", client_lib_notifications_js, sizeof client_lib_notifications_js},
    {"client/lib/portions.js", client_lib_portions_js, sizeof client_lib_portions_js},
    {"client/lib/records.js", client_lib_records_js, sizeof client_lib_records_js},
    {"client/lib/session.js", client_lib_session_js, sizeof client_lib_session_js},
    {"client/lib/sign-in.js", client_lib_sign_in_js, sizeof client_lib_sign_in_js},
    {"client/lib/sync/edited-fields.js", client_lib_sync_edited_fields_js, sizeof client_lib_sync_edited_fields_js},
    {"client/lib/sync/engine.js", client_lib_sync_engine_js, sizeof client_lib_sync_engine_js},
    {"client/lib/sync/fetcher.js", client_lib_sync_fetcher_js, sizeof client_lib_sync_fetcher_js},
    {"client/lib/sync/indexeddb-store.js", client_lib_sync_indexeddb_store_js, sizeof client_lib_sync_indexeddb_store_js},
    {"client/lib/sync/indexes.js", client_lib_sync_indexes_js, sizeof client_lib_sync_indexes_js},
    {"client/lib/sync/ledger.js", client_lib_sync_ledger_js, sizeof client_lib_sync_ledger_js},
    {"client/lib/sync/local-query.js", client_lib_sync_local_query_js, sizeof client_lib_sync_local_query_js},
    {"client/lib/sync/merge.js", client_lib_sync_merge_js, sizeof client_lib_sync_merge_js},
    {"client/lib/sync/opening.js", client_lib_sync_opening_js, sizeof client_lib_sync_opening_js},
    {"client/lib/sync/order.js", client_lib_sync_order_js, sizeof client_lib_sync_order_js},
    {"client/lib/sync/ordered-map.js", client_lib_sync_ordered_map_js, sizeof client_lib_sync_ordered_map_js},
    {"client/lib/sync/schedule.js", client_lib_sync_schedule_js, sizeof client_lib_sync_schedule_js},
    {"client/lib/sync/sender.js", client_lib_sync_sender_js, sizeof client_lib_sync_sender_js},
    {"client/lib/sync/staged-store.js", client_lib_sync_staged_store_js, sizeof client_lib_sync_staged_store_js},
    {"client/lib/sync/staging.js", client_lib_sync_staging_js, sizeof client_lib_sync_staging_js},
    {"client/lib/sync/uploader.js", client_lib_sync_uploader_js, sizeof client_lib_sync_uploader_js},
    {"client/lib/token-stores.js", client_lib_token_stores_js, sizeof client_lib_token_stores_js},
    {"client/lib/transport.js", client_lib_transport_js, sizeof client_lib_transport_js},
    {"client/lib/tries.js", client_lib_tries_js, sizeof client_lib_tries_js},
    {"client/lib/uuid.js", client_lib_uuid_js, sizeof client_lib_uuid_js},
    {"client/lib/values.js", client_lib_values_js, sizeof client_lib_values_js},
    {"client/lib/waiting.js", client_lib_waiting_js, sizeof client_lib_waiting_js},
    {"client/node.d.ts", client_node_d_ts, sizeof client_node_d_ts},
    {"client/node.js", client_node_js, sizeof client_node_js},
    {"client/offline.d.ts", client_offline_d_ts, sizeof client_offline_d_ts},
    {"client/offline.js", client_offline_js, sizeof client_offline_js},
    {"client/package.json", client_package_json, sizeof client_package_json},
    {"client/testing.d.ts", client_testing_d_ts, sizeof client_testing_d_ts},
    {"client/testing.js", client_testing_js, sizeof client_testing_js},
    {NULL, NULL, 0},
};
